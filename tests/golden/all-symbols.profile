# Functions that normally count with the one before them: parts that compilers split off, names with a
# dollar sign, IFUNC symbols.
text 0x401000 0x100
sym main 0x401000
sym main.cold 0x401010 local
sym work 0x401020
sym work.part.0 0x401030 local
sym work.isra.0.cold 0x401040 local
sym inner$2 0x401050 local
sym choose 0x401060 ifunc
sym .Llabel 0x401070 notype local
sym object 0x401080 object local
sym etext 0x401090 notype
profile
hist 0x401000 0x401090 36 100
tick main 1
tick main.cold 2
tick work 3
tick work.part.0 4
tick work.isra.0.cold 5
tick inner$2 6
tick choose 7
tick .Llabel 8
tick object 9
arc main work.part.0 3
arc work.part.0 inner$2 4
arc work.part.0 main.cold 1
