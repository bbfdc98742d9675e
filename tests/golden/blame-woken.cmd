# oracle: doc/differences.md own-options
-b --blame
--blame -b -s
-b --blame a.out gmon.sum
