# oracle: doc/differences.md dimension
-b
