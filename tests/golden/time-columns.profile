# Time by source line, of a program without debug information.
text 0x401000 0x80
sym main 0x401000
sym work 0x401020
sym etext 0x401080 notype
profile
hist 0x401000 0x401080 32 100
tick work 7
tick main 1
arc main work 3
