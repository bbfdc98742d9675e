# oracle: doc/differences.md own-options
-b --image-base=0x55951000 a.out gmon.2
-b -p --image-base 1435832320 a.out gmon.2
-b --image-base=0x401000
-b -p a.out gmon.2
--image-base=0x400000000000000000
--image-base=4x
--debuginfod=soon
