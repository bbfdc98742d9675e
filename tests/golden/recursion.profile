# One cycle of even and odd, which both call themselves too; a self call of main, which is in no cycle.
text 0x401000 0x100
sym main 0x401000
sym even 0x401020
sym odd 0x401040
sym leaf 0x401060
sym other 0x401080
sym etext 0x4010a0 notype
profile
hist 0x401000 0x4010a0 40 100
tick main 1
tick even 17
tick odd+16 25
tick leaf+4 40
tick other 3
arc main+4 even 2
arc main+8 main 5
arc even+4 odd 11
arc odd+4 even 10
arc odd+8 odd 3
arc even+8 even 4
arc even+12 leaf 6
arc odd+12 leaf 8
arc other+4 odd 1
arc main+12 other 7
