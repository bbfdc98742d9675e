# oracle: doc/differences.md own-options
-b --inclusive --clock=off
-b --inclusive --clock=off --from=1
-b --inclusive --clock=off --to=1
-b --inclusive --clock=off --from=1 --thread-view=all
