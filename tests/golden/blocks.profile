# Counts of basic blocks: within functions, at their starts, before the first symbol, of zero.
text 0x401000 0x80
sym main 0x401000
sym work 0x401020
sym leaf 0x401040 local
sym etext 0x401060 notype
profile
hist 0x401000 0x401060 24 100
tick work 5
arc main+4 work 3
arc work+4 leaf 4000000000
bb main 1 main+8 2 main+4 3
bb work 7 work+0x10 0 leaf 4000000000
profile
hist 0x401000 0x401060 24 100
arc main+4 work 1
bb main 10 leaf+2 4000000000 0x400ff0 5
bb work 1 work+1 1 work+2 1 work+3 1 work+4 1 work+5 1 work+6 1 work+7 1 work+8 1
