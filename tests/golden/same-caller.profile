# Several specifications of calls from one caller.
text 0x401000 0x80
sym a 0x401000
sym b 0x401020
sym c 0x401040
sym etext 0x401060 notype
profile
hist 0x401000 0x401060 24 100
tick a 1
tick b 2
tick c 3
arc a b 10
arc a c 20
arc b c 30
arc a a 40
