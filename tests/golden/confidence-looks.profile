# Intervals from call stacks whose program says how many signals there were. Threads: one of which each signal counted four
# times, one of which they counted once, one with signals that counted 1 and 9 times, and, in the second profile, one
# that says nothing, as what was recorded earlier does. In the third, signals contradict the ticks.
text 0x401000 0x100
sym main 0x401000
sym left 0x401040
sym right 0x401080
sym etext 0x401100 notype
profile
hist 0x401000 0x401100 64 1000
tick left 200
tick right 100
thread 1 main 100000000 25 400
stack 60 main left
stack 40 main right
thread 2 single 100000000 100 100
stack 70 main left
stack 30 main right
thread 3 bursts 100000000 20 820
stack 70 main left
stack 30 main right
profile
hist 0x401000 0x401100 64 1000
tick left 70
tick right 30
thread 1 main 100000000
stack 70 main left
stack 30 main right
profile
hist 0x401000 0x401100 64 1000
tick left 70
tick right 30
thread 1 main 100000000 18446744073709551615 1
stack 70 main left
stack 30 main right
profile
hist 0x401000 0x401100 64 1000
tick left 70
tick right 30
thread 1 main 100000000 1 18446744073709551615
stack 70 main left
stack 30 main right
