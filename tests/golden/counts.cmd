# oracle: system
-C
-b -C -z
-b -C -p
-b -C -q
-b -i -C
-b -q -p -i -C -z
-b --exec-counts a.out gmon.2
-b -C a.out gmon.out gmon.2
-b -C a.out gmon.3
-b -C -z a.out gmon.3
-b -C -L --no-demangle
-b -C -a
# asked for and declined: the defaults
-b -Z
-b -C -Z
-b -Z -C
-b --no-exec-counts -C -Z a.out gmon.3
-b -P -Q -Z
# calls are counted only when nothing else was recorded
-b a.out gmon.4
-b -z a.out gmon.4
-b -z -Z a.out gmon.4
-b -z -P a.out gmon.4
