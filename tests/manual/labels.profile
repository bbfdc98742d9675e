# Assembly code with a label that is no function.
text 0x401000 0x100
sym main 0x401000
sym copy 0x401020
sym loop 0x401028 notype local
sym etext 0x401060 notype
profile
hist 0x401000 0x401060 24 100
tick main 2
tick copy 1
tick loop 17
arc main copy 5
