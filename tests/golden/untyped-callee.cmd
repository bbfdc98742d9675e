# oracle: doc/differences.md untyped-callee
-b
