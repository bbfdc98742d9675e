# Specifications that overlap are sets: a and two functions named leaf, which overlap with everything.
text 0x401000 0x100
sym a 0x401000
sym leaf 0x401020 local
sym b 0x401040
sym c 0x401060
sym leaf 0x401080 local
sym d 0x4010a0
sym etext 0x4010c0 notype
profile
hist 0x401000 0x4010c0 48 100
tick a 1
tick 0x401020 2
tick b 3
tick c 4
tick 0x401080 5
tick d 6
arc a b 1
arc a c 1
arc b d 2
arc c 0x401080 3
