# The routines of profiling itself: their time counts for nobody.
text 0x401000 0x100
sym main 0x401000
sym work 0x401010
sym mcount 0x401020
sym _mcount 0x401030 local
sym __mcount 0x401040
sym _gprof_mcount 0x401050
sym __mcount_internal 0x401060 local
sym __mcleanup 0x401070
sym mcounter 0x401080
sym etext 0x401090 notype
profile
hist 0x401000 0x401090 36 100
tick main 5
tick work 10
tick mcount 20
tick _mcount 30
tick __mcount 40
tick _gprof_mcount 50
tick __mcount_internal 60
tick __mcleanup 70
tick mcounter 3
arc main work 4
arc work mcount 5
arc work mcounter 5
arc main _mcount 6
arc mcount __mcount_internal 7
arc __mcount_internal work 2
arc __mcleanup main 1
