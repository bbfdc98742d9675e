# A quarter of the stacks lack functions: at the inner end, and in the middle.
text 0x401000 0x100
sym _start 0x401000
sym main 0x401020
sym solve 0x401040
sym step 0x401080
sym mix 0x4010a0
sym etext 0x401100 notype
profile
hist 0x401000 0x401100 64 100
tick main 100
tick solve 200
tick step 300
tick mix 300
arc main+4 solve 10
arc solve+8 step 1000
arc step+4 mix 2000
stack 100 _start main
stack 200 _start main solve
stack 375 _start main solve step
stack 150 cut _start main solve
stack 75 cut _start main -:1 step mix
