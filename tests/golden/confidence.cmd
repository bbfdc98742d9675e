# oracle: doc/differences.md own-options
--confidence
-b -p -z --confidence=99.9
-b -p -T --confidence=50
-b -p --confidence a.out gmon.out gmon.2
-b --confidence=90 a.out gmon.out gmon.2 gmon.3
-b -z --confidence a.out gmon.4
-b -p -pheavy --confidence
--confidence=100
