# oracle: system
-b
-b -z
-b -q a.out gmon.2
-b a.out gmon.out gmon.2
