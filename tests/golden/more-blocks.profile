# Eleven blocks of one function; GNU gprof shows ten.
text 0x401000 0x80
sym a 0x401000
sym b 0x401020
sym etext 0x401060 notype
profile
hist 0x401000 0x401060 24 100
arc b a 2
bb a 1 a+1 2 a+2 3 a+3 4 a+4 5 a+5 6 a+6 7 a+7 8 a+8 9 a+9 10 a+10 11
bb b 1
