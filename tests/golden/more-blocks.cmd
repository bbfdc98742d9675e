# oracle: doc/differences.md more-blocks
-b -C -l
-b -C -l -z
