# oracle: doc/differences.md own-options
-b -p --confidence
