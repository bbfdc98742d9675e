# oracle: doc/differences.md own-options
-b --inclusive
-b --inclusive --from=1
-b --inclusive --clock=off --confidence --from=1.5
-b --inclusive --clock=off --confidence
-b --inclusive --clock=off --to=1
