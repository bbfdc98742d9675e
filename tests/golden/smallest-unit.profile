# Less than 1e-18 seconds a call: there is no smaller unit than atto.
text 0x401000 0x80
sym main 0x401000
sym work 0x401020
sym etext 0x401060 notype
profile
hist 0x401000 0x401060 24 1000000000
tick main 1
tick work 1
arc main work 4294967295
