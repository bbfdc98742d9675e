# oracle: system
-b
