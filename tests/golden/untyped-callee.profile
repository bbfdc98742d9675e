# Calls to symbols that are not marked as functions, as assembly sources often make them.
text 0x401000 0xc0
sym _start 0x401000
sym asmfn 0x401020 notype
sym f2 0x401040
sym f3 0x401060 notype
sym f4 0x401080 local
sym etext 0x4010a0 notype
profile
hist 0x401000 0x4010a0 40 100
tick _start 1
tick asmfn 2
tick f2 3
tick f3 4
tick f4 5
arc _start+2 asmfn 10
arc asmfn+2 f2 20
arc f2+2 f3 30
arc f3+2 f4 40
arc f4+2 f3 50
