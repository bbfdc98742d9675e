# oracle: doc/differences.md own-options
-b -p -q --confidence
--inclusive --call-tree --confidence
-b -p -q --inclusive --call-tree --confidence a.out gmon.out gmon.2 gmon.3
-b -p --estimated --confidence a.out gmon.out gmon.2 gmon.3
