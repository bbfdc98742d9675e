# oracle: system
-b
-b -z
-b -p -z
