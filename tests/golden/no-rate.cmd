# oracle: doc/differences.md no-rate
-b
-b a.out gmon.2
