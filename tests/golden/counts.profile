# Calls alone: recursion, a cycle, functions never called, an arc that was never taken, the profiler itself.
text 0x401000 0x100
sym _start 0x401000
sym _ZN4List4sortEv 0x401020
sym tree 0x401040
sym leaf 0x401060 local
sym ping 0x401080
sym pong 0x4010a0
sym idle 0x4010c0
sym mcount 0x4010e0
sym etext 0x4010f0 notype
profile
hist 0x401000 0x401100 64 100
tick leaf 5
tick ping 2
arc _start _ZN4List4sortEv 3
arc _ZN4List4sortEv tree 40
arc tree tree 1000
arc tree leaf 4294967295
arc _start leaf 4294967295
arc tree ping 7
arc ping pong 6
arc pong ping 5
arc pong pong 2
arc _start idle 0
arc leaf mcount 9
# calls without samples
profile
arc _start leaf 1
# samples without calls
profile
hist 0x401000 0x401100 64 100
tick leaf 1
# nothing
profile
