# oracle: doc/differences.md own-options
-b --inclusive
-b --inclusive --clock=off
-b --thread-view
-b --inclusive --thread-view=10
--top
