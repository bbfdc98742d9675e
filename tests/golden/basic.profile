# Five functions; beta calls itself; gamma has no ticks, _start no calls, idle neither.
text 0x401000 0xc0
sym _start 0x401000
sym alpha 0x401020
sym beta 0x401040
sym gamma 0x401060
sym delta 0x401080
sym idle 0x4010a0
sym etext 0x4010c0 notype
profile
hist 0x401000 0x4010c0 48 100
tick alpha 30
tick beta 20
tick delta 5
arc _start alpha 3
arc alpha beta 10
arc beta gamma 7
arc beta beta 4
arc alpha delta 2
