# Cycles p q r and u v w with an inner cycle, s and t with a self call, and roots main and x.
text 0x401000 0x160
sym main 0x401000
sym p 0x401020
sym q 0x401040
sym r 0x401060
sym s 0x401080
sym t 0x4010a0
sym u 0x4010c0
sym v 0x4010e0
sym w 0x401100
sym x 0x401120
sym end 0x401140
profile
hist 0x401000 0x401160 88 100
tick p+4 10
tick q+4 20
tick r+4 30
tick s+4 40
tick t+4 50
tick u 60
tick v 60
tick w+4 5
arc main p 2
arc p q 3
arc q r 4
arc r p 5
arc r s 6
arc s t 7
arc t s 8
arc t t 9
arc main u 1
arc u v 1
arc v w 2
arc w u 3
arc w v 4
arc x s 2
profile
# a cycle that nobody outside calls, and a cycle of calls that were never made
hist 0x401000 0x401160 88 100
tick q 7
tick s 9
tick w 2
arc p q 3
arc q p 4
arc q s 0
arc s q 0
arc s w 5
