# oracle: doc/differences.md own-options
-b -z --confidence
-b -p --confidence=99.9 a.out gmon.out gmon.2 gmon.3
