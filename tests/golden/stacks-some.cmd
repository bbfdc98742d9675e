# oracle: doc/differences.md stacks
-b -p a.out
-b -p a.out gmon.out gmon.2
-b --inclusive a.out gmon.out gmon.2
--inclusive a.out gmon.2
-b -p --measured a.out gmon.out gmon.2
-b -p --thread-view=main a.out gmon.2
