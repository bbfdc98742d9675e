# Local names that end in a dot and digits, each stored right before one that is not accepted.
strings packed
text 0x411000 0x80
sym _start 0x411000
sym inner.0 0x411010 local
sym outer$x 0x411020 local
sym inner.1 0x411030 local
sym plain 0x411040 local
sym inner.2 0x411050 local
sym part.cold 0x411060 local
sym etext 0x411070 notype
profile
hist 0x411000 0x411080 32 100
tick _start 1
tick 0x411010 2
tick 0x411020 3
tick 0x411030 4
tick 0x411040 5
tick 0x411050 6
tick 0x411060 7
arc _start 0x411010 1
arc _start 0x411050 2
