# A callee address inside a symbol that is not a function belongs to the function before it.
text 0x401000 0xc0
sym _start 0x401000
sym asmfn 0x401020 notype
sym f2 0x401040
sym data 0x401060 object
sym f4 0x401080
sym etext 0x4010a0 notype
profile
hist 0x401000 0x4010a0 40 100
tick _start 1
tick asmfn 2
tick f2 3
tick data 4
tick f4 5
arc asmfn+2 f2+4 20
arc f4+2 data+2 30
arc f2+2 asmfn+6 40
arc f4+2 f4+1 50
