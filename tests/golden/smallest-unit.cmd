# oracle: doc/differences.md smallest-unit
-b -p
