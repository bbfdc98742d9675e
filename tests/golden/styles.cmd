# oracle: system
-b -p -P
-b -P
-b -Q
-b -P -Q
-b -q -Q
-b -Q -q
-b -P -p
-b -p -Q
-b -q -P
-b -bp
-b -p -p -q -q
-b --flat-profile --no-graph
-b --no-flat-profile
-b --no-f --gr
# no arcs
-b a.out gmon.2
-b -p a.out gmon.2
-b -q a.out gmon.2
-b -P a.out gmon.2
-b -Q a.out gmon.2
-b -p -q a.out gmon.2
# no histogram
-b -p a.out gmon.3
-b -P -Q a.out gmon.3
-b -Q a.out gmon.3
# arcs of one, histogram of the other
-b a.out gmon.2 gmon.3
