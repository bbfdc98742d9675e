# A chain of callers and callees around a function, a cycle, overloaded C++ functions, one that was never called.
text 0x401000 0x200
sym main 0x401000
sym load 0x401020
sym parse 0x401040
sym group 0x401060
sym lookup 0x401080
sym hash 0x4010a0
sym mix 0x4010c0
sym _ZN5Table4findEi 0x4010e0
sym _ZN5Table4findEPKc 0x401100
sym _ZN5Table5eraseEii 0x401120
sym usage 0x401140
sym etext 0x401160 notype
profile
hist 0x401000 0x401200 128 100
tick parse 10
tick group 5
tick lookup 40
tick hash 20
tick mix 5
tick _ZN5Table4findEi 10
tick _ZN5Table4findEPKc 10
arc main load 1
arc load parse 4
arc parse group 6
arc group parse 6
arc parse lookup 20
arc group _ZN5Table5eraseEii 2
arc _ZN5Table5eraseEii lookup 2
arc lookup hash 22
arc hash mix 44
arc mix _ZN5Table4findEi 3
arc main _ZN5Table4findEPKc 7
