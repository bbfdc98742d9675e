# oracle: doc/differences.md objects
-b --objects a.out gmon.out
-b --objects -P -Q a.out gmon.2
-b --objects -P -Q a.out gmon.out gmon.2
-b --objects -p --inclusive a.out gmon.out
-b --objects --libraries=hide -p a.out gmon.out
-b --objects --estimated -p a.out gmon.out
--objects --estimated a.out gmon.2
--objects a.out gmon.out gmon.3
