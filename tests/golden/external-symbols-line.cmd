# oracle: system
-b -l -S "$here/external-symbols-line.list"
-b -l -q -T -S "$here/external-symbols-line.list"
-b -l -C -S "$here/external-symbols-line.list"
-b -q -S "$here/external-symbols-line.list"
