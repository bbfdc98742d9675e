# A name of D: that --demangle=auto knows it, too, is so with the libiberty of Debian 13, not with that of 12.
text 0x401000 0x40
sym main 0x401000
sym _D8demangle4testFZv 0x401010
sym _Z3fooi 0x401020
sym etext 0x401030 notype
profile
hist 0x401000 0x401030 12 100
tick 0x401010 2
tick 0x401020 1
arc main 0x401010 5
arc main 0x401020 16
