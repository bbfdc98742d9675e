# oracle: system
-b -z -p
-b -z -q
-b
