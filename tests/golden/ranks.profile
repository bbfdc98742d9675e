# Four ranks: the third has twice the work in one function, the first alone calls another; one rank has another rate of
# samples, one ticks in no function. What is in gmon.5 is of no function of the program.
text 0x401000 0x140
sym main 0x401000
sym _Z10solve_rowsi 0x401040
sym pack_halo 0x401080
sym write_checkpoint 0x4010c0
sym small 0x401100
sym etext 0x401140 notype
profile
hist 0x401000 0x401180 96 100
tick _Z10solve_rowsi 1044
tick pack_halo 310
tick write_checkpoint 92
tick small 1
arc main _Z10solve_rowsi 400
arc main pack_halo 800
arc main write_checkpoint 4
arc pack_halo+8 pack_halo 5
profile
hist 0x401000 0x401180 96 100
tick _Z10solve_rowsi 1051
tick pack_halo 322
tick etext+16 20
arc main _Z10solve_rowsi 400
arc main pack_halo 800
profile
hist 0x401000 0x401180 96 200
tick _Z10solve_rowsi 4206
tick pack_halo 610
tick small 3
arc main _Z10solve_rowsi 800
arc main pack_halo 800
profile
hist 0x401000 0x401180 96 100
tick _Z10solve_rowsi 1047
tick pack_halo 318
arc main _Z10solve_rowsi 400
arc main pack_halo 800
profile
hist 0x501000 0x501180 96 100
tick 0x501010 700
