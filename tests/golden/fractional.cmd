# oracle: system
-b -p
-b a.out gmon.2
-b -p a.out gmon.3
-b a.out gmon.4
-b a.out gmon.5
