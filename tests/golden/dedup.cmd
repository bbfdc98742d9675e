# oracle: system
-b -z -p
-b
