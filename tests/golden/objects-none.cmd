# oracle: doc/differences.md objects
-b --objects
-b --objects -p -p[unloaded] -p@*vdso*
