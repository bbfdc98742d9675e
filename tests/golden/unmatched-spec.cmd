# oracle: system
-b -pcomputes
-b -pcompute1 -p
-b -k main/cmpute
-b -q -e mian
-b -C -Cnosuchthing
