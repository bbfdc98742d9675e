# A program that looks names up, in five runs with different input.
text 0x401000 0x140
sym main 0x401000
sym parse 0x401040
sym lookup 0x401080
sym hash 0x4010c0 local
sym report 0x401100
sym etext 0x401140 notype
profile
hist 0x401000 0x401140 80 100
tick lookup 118
tick hash 62
tick parse 14
tick report 6
arc main parse 1
arc parse lookup 9000
arc main+8 report 1
arc lookup hash 9000
profile
hist 0x401000 0x401140 80 100
tick lookup 139
tick hash 40
tick parse 15
tick report 6
arc main parse 1
arc parse lookup 9000
arc main+8 report 1
arc lookup hash 9000
profile
hist 0x401000 0x401140 80 100
tick lookup 104
tick hash 77
tick parse 12
tick report 7
arc main parse 1
arc parse lookup 9000
arc main+8 report 1
arc lookup hash 9000
profile
hist 0x401000 0x401140 80 100
tick lookup 131
tick hash 50
tick parse 16
tick report 3
arc main parse 1
arc parse lookup 9000
arc main+8 report 1
arc lookup hash 9000
profile
hist 0x401000 0x401140 80 100
tick lookup 112
tick hash 70
tick parse 13
tick report 5
arc main parse 1
arc parse lookup 9000
arc main+8 report 1
arc lookup hash 9000
