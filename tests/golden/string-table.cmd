# oracle: doc/differences.md string-table
-b
-b -z -p
