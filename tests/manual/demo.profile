# A program that parses, in a cycle with parentheses, and looks names up in a table; two runs of it.
text 0x401000 0x200
sym main 0x401000
sym load 0x401040
sym parse 0x401080
sym group 0x4010c0
sym lookup 0x401100
sym hash 0x401140 local
sym report 0x401180
sym usage 0x4011c0
sym etext 0x401200 notype
profile
hist 0x401000 0x401200 128 100
tick lookup 120
tick hash 60
tick parse 15
tick group 9
tick load 3
tick report 3
arc main load 1
arc load parse 1000
arc parse group 300
arc group parse 300
arc parse parse 50
arc parse+8 lookup 9000
arc main+8 report 1
arc report lookup 1000
arc lookup hash 10000
profile
hist 0x401000 0x401200 128 100
tick lookup 100
tick hash 50
tick parse 10
tick group 5
tick report 5
arc main load 1
arc load parse 800
arc parse group 200
arc group parse 200
arc parse+8 lookup 8000
arc main+8 report 1
arc report lookup 1000
arc lookup hash 9000
