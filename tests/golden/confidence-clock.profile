# A rate of 1000 where the clock ticks 250 times a second: each sample counts four times.
text 0x401000 0x100
sym main 0x401000
sym work 0x401040
sym etext 0x401100 notype
profile
hist 0x401000 0x401100 64 1000
tick main+0 4
tick main+4 4
tick main+8 4
tick main+12 4
tick main+16 4
tick main+20 4
tick main+24 4
tick main+28 4
tick main+32 4
tick main+36 4
tick main+40 4
tick main+44 4
tick work 40
tick work+4 8
