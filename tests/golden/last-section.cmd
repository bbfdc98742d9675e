# oracle: doc/differences.md last-symbol
-b
