# oracle: system
-b
-b a.out gmon.out gmon.2 gmon.3
-b a.out gmon.3 gmon.2 gmon.out
-b a.out gmon.2 gmon.2 gmon.2
-b -i a.out gmon.out gmon.2 gmon.3
