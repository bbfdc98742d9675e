# oracle: doc/differences.md same-caller
-b -k a/b -k a/c
-b -k a/c -k a/b
-b -q -k a/b -k a/c -k a/a
-b -p -qa/b -qa/c
-b -qa/c -qa/b
-b -Qa/b -k a/c
-b -q -k a/ -k a/b
-b -q -k /c -k a/b
-b -q -k b/c -k a/b
