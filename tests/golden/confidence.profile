# Intervals: many samples, few, one and none; a cycle; more runs, one without `rare`, one without any.
text 0x401000 0x180
sym main 0x401000
sym heavy 0x401020
sym light 0x401060
sym twin 0x4010a0
sym rare 0x4010e0
sym never 0x401120
sym unused 0x401160
sym etext 0x401180 notype
profile
hist 0x401000 0x401180 96 100
tick heavy 800
tick light 202
tick twin 201
tick rare 1
arc main heavy 10
arc heavy light 400
arc light heavy 30
arc light twin 100
arc main rare 1
arc main never 1
profile
hist 0x401000 0x401180 96 100
tick heavy 700
tick light 150
tick twin 148
tick rare 2
arc main heavy 10
profile
hist 0x401000 0x401180 96 100
tick heavy 420
tick light 281
tick twin 99
arc main heavy 10
profile
hist 0x401000 0x401180 96 100
