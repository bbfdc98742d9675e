# oracle: doc/differences.md external-addresses
-b -S "$here/external-symbols-other.list"
-b -z -C -S "$here/external-symbols-other.list"
