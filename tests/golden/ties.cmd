# oracle: system
-b
-b -z
-b a.out gmon.2
-b -z a.out gmon.2 gmon.out
