# oracle: doc/differences.md last-symbol
-b
-b -p -z
