# The program and profile that the damaged ones are made of.
text 0x401000 0x80
section .data 0x403000 0x10 data
sym x.c 0 file local
sym helper 0x401000 local
sym main 0x401020
sym work 0x401040
sym etext 0x401080 notype
sym data_start 0x403000 notype weak
profile
hist 0x401000 0x401080 32 100
tick main 3
tick work 7
arc main work 12
arc work helper 34
