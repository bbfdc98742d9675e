# Four ranks of a program: the third has twice the work in one function, the first alone writes.
text 0x401000 0x140
sym main 0x401000
sym solve_rows 0x401040
sym pack_halo 0x401080
sym write_checkpoint 0x4010c0
sym etext 0x401140 notype
profile
hist 0x401000 0x401140 80 100
tick solve_rows 1044
tick pack_halo 310
tick write_checkpoint 92
arc main solve_rows 400
arc main pack_halo 800
arc main write_checkpoint 4
profile
hist 0x401000 0x401140 80 100
tick solve_rows 1051
tick pack_halo 322
arc main solve_rows 400
arc main pack_halo 800
profile
hist 0x401000 0x401140 80 100
tick solve_rows 2103
tick pack_halo 305
arc main solve_rows 800
arc main pack_halo 800
profile
hist 0x401000 0x401140 80 100
tick solve_rows 1047
tick pack_halo 318
arc main solve_rows 400
arc main pack_halo 800
