# Intervals from call stacks, of one run with a broken stack, and of three.
text 0x401000 0x200
sym main 0x401000
sym left 0x401040
sym right 0x401080
sym leaf 0x4010c0
sym etext 0x401200 notype
profile
hist 0x401000 0x401200 128 100
tick leaf 100
tick left 40
arc main left 10
arc main right 10
stack 60 main left leaf
stack 40 main left
stack 37 main right leaf
stack 3 broken leaf
profile
hist 0x401000 0x401200 128 100
tick leaf 100
tick left 40
arc main left 10
stack 30 main left leaf
stack 40 main left
stack 70 main right leaf
profile
hist 0x401000 0x401200 128 100
tick leaf 100
tick left 40
arc main left 10
stack 80 main left leaf
stack 40 main left
stack 20 main right leaf
