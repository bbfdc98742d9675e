# Three runs whose sums need more than 32 bits of calls and more than 16 bits of ticks.
text 0x401000 0x80
sym main 0x401000
sym work 0x401020
sym leaf 0x401040
sym etext 0x401060 notype
profile
hist 0x401000 0x401060 24 100
tick main 1
tick work 60000
tick leaf 65535
arc main work 4000000000
arc work leaf 4294967295
arc work+4 leaf 4294967295
profile
hist 0x401000 0x401060 24 100
tick work 60000
tick leaf 65535
arc main work 4000000000
arc work leaf 4294967295
profile
hist 0x401000 0x401060 24 100
tick work 60000
tick leaf 65535
tick leaf+8 3
arc leaf main 1
arc main work 4000000000
