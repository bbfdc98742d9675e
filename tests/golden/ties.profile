# Equal ticks, equal counts and equal names, told apart by what comes first.
text 0x401000 0x180
sym a 0x401000
sym p 0x401020
sym q 0x401040
sym r 0x401060
sym _s 0x401080
sym __t 0x4010a0
sym twin 0x4010c0 local
sym twin 0x4010e0 local
sym Z 0x401100
sym w 0x401120
sym x 0x401140
sym etext 0x401180 notype
profile
hist 0x401000 0x401180 96 100
arc r Z 1
arc p Z 1
arc q Z 1
arc a r 1
arc a p 1
arc a q 1
arc p p 1
arc __t twin 0
arc a 0x4010c0 2
arc a 0x4010e0 2
profile
hist 0x401000 0x401180 96 100
tick a 4
tick p 4
tick q 4
tick _s 4
tick __t 4
tick 0x4010c0 4
tick 0x4010e0 4
tick Z 4
tick w 4
arc r Z 1
arc p Z 1
arc q Z 1
arc x w 3
arc x _s 3
arc x __t 3
arc x p 3
arc p q 3
arc q p 3
arc w Z 1
