# Two data files, of which the second has no call stacks.
text 0x401000 0x80
sym main 0x401000
sym leaf 0x401020
sym etext 0x401080 notype
profile
hist 0x401000 0x401080 32 100
tick leaf 5
arc main leaf 1
stack 5 main leaf
profile
hist 0x401000 0x401080 32 100
tick leaf 3
arc main leaf 1
