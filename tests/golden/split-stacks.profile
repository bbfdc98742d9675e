# Functions that a compiler split off are functions of their own in reports from call stacks, and a neighbour's in those that
# are estimated, as GNU gprof has them.
text 0x401000 0x100
sym main 0x401000
sym run.part.0 0x401020 local
sym value 0x401040
sym value.cold 0x401060 local
sym etext 0x401080 notype
profile
hist 0x401000 0x401100 64 100
tick run.part.0 60
tick value 30
tick value.cold 10
arc main value 7
module prog 0x401000 0x401100 0 program
thread 100 prog 1000000000
stack 60 main run.part.0
stack 30 main run.part.0 value
stack 10 main run.part.0 value value.cold
