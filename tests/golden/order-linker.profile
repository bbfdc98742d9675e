# Two static functions of one name, a cold part, a clone, suffixes of link-time optimization, what has no place.
text 0x401000 0x140
sym _init 0x401000
sym main 0x401010
sym leaf 0x401020 local
sym a 0x401030
sym b.constprop.0 0x401040 local
sym leaf 0x401050 local
sym d.lto_priv.1 0x401060 local
sym e 0x401070
sym e.cold 0x401080 local
sym idle 0x401090
sym data_start 0x4010a0 notype
sym frame_dummy 0x4010b0 local
sym etext 0x401100 notype
profile
hist 0x401000 0x401100 64 100
tick a 5
tick e 50
tick idle 1
arc main a 60
arc a b.constprop.0 900
arc main 0x401020 3
arc main 0x401050 4
arc a a 7
arc e d.lto_priv.1 800
arc main e 2
