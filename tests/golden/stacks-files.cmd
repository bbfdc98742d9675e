# oracle: doc/differences.md stacks-beside
-i
-i a.out gmon.out gmon.2 gmon.3
-i a.out gmon.3
-b -p a.out gmon.3 gmon.2
-s a.out gmon.out gmon.2 gmon.3
-b -i a.out gmon.sum
-s a.out gmon.sum gmon.2
-b -i a.out gmon.sum
