# Two callers of one function that ask for very different amounts of work, with call stacks.
text 0x401000 0x100
sym main 0x401000
sym small 0x401020
sym large 0x401040
sym sort 0x401060
sym etext 0x401080 notype
profile
hist 0x401000 0x401080 32 100
tick sort 200
arc main small 1
arc main+4 large 1
arc small sort 1000
arc large sort 10
stack 198 main large sort
stack 2 main small sort
