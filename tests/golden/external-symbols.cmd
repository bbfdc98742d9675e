# oracle: system
-b -S "$here/external-symbols.list"
-b -z -p -S "$here/external-symbols.list"
-b -a -D -p -S "$here/external-symbols.list"
-b -q -L --inline-file-names -S "$here/external-symbols.list"
-b -z -C --external-symbol-table="$here/external-symbols.list"
-r -S "$here/external-symbols.list"
-S "$here/external-symbols.cmd"
-S nosuch
-S
