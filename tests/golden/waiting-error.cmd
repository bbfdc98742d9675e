# oracle: doc/differences.md own-options
-b --inclusive
-b --inclusive --confidence
-b --inclusive --confidence --clock=off
-b --top
-b --top --clock=off
-s a.out gmon.out gmon.out
-b --inclusive --confidence a.out gmon.sum
