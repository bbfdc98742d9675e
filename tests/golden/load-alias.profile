# Code that ran in RAM, at 0x20000000, and has symbols where it was loaded. In the second data, one histogram has that code and
# what is behind it; in the third, the code was sampled in both places.
text 0x8000 0x1000
sym main 0x8010
sym filter 0x8400
sym mix 0x8440
sym report 0x8800
profile
hist 0x20000000 0x20000400 256 1000
tick 0x20000010 250
tick 0x20000044 130
arc 0x8020 0x20000000 4000
arc 0x20000024 0x20000040 8000
arc 0x8030 0x8800 1
profile
hist 0x1ffffc00 0x20000800 768 1000
tick 0x1ffffffc 5
tick 0x20000010 25
tick 0x200003fc 13
tick 0x20000400 7
arc 0x8020 0x20000000 400
profile
hist 0x8400 0x8800 256 1000
tick 0x8410 6
arc 0x8020 0x8400 1
