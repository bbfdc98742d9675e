# Several histograms with a hole between them, in any order; one of them twice.
text 0x401000 0x200
sym a 0x401000
sym b 0x401060
sym c 0x401080
sym d 0x401120
sym end 0x401200
profile
hist 0x401100 0x401200 64 1000
tick c+0x90 5
tick d 7
hist 0x401000 0x4010a0 40 1000
tick a 11
tick b+4 13
tick c 17
arc a b 3
hist 0x401100 0x401200 64 1000
tick d 1
tick d+8 2
arc b d 4
profile
# another rate: the first one counts
hist 0x401000 0x4010a0 40 100
tick c 100
profile
# overlaps the others: an error
hist 0x401040 0x4010e0 40 1000
profile
# another number of bytes a bin: an error
hist 0x401000 0x4010a0 80 1000
profile
# another dimension: an error
hist 0x401000 0x4010a0 40 1000 cycles c
profile
# another abbreviation: an error
hist 0x401000 0x4010a0 40 1000 seconds c
