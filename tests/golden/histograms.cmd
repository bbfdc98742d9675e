# oracle: system
-b
-b -p a.out gmon.2
-b a.out gmon.out gmon.2
-b a.out gmon.2 gmon.out
-b a.out gmon.out gmon.3
-b a.out gmon.out gmon.4
-b a.out gmon.out gmon.5
-b a.out gmon.out gmon.6
