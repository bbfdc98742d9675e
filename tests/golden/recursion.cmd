# oracle: system
-b
-b -z -q
-b -p
