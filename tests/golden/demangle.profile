# Mangled names: sorted as they stand in the file, printed in plain form.
text 0x401000 0x200
sym main 0x401000
sym _Z3fooi 0x401010
sym _ZN3BoxC1Ev 0x401020
sym _ZN3BoxC2Ev 0x401030
sym _ZN3BoxD1Ev 0x401040
sym _ZNSt6vectorIiSaIiEE9push_backERKi 0x401050
sym _ZN12_GLOBAL__N_16hiddenEv 0x401060 local
sym _Z3foov.constprop.0 0x401070 local
sym _Z3foov.cold 0x401080
sym _ZZ4mainENKUliE_clEi 0x401090 local
sym _ZN4core3fmt5Write9write_fmt17h0123456789abcdefE 0x4010a0
sym _RNvC6_123foo3bar 0x4010b0
sym _GLOBAL__sub_I_main 0x4010d0 local
sym _ZN3Bo 0x4010e0
sym _Zx 0x4010f0
sym etext 0x401100 notype
profile
hist 0x401000 0x401100 64 100
tick main 1
tick 0x401010 1
tick 0x401020 2
tick 0x401030 3
tick 0x401040 4
tick 0x401050 0
tick 0x401060 1
tick 0x401070 2
tick 0x401080 3
tick 0x401090 4
tick 0x4010a0 0
tick 0x4010b0 1
tick 0x4010d0 3
tick 0x4010e0 4
tick 0x4010f0 0
arc main 0x401010 16
arc main 0x401020 15
arc main 0x401030 14
arc main 0x401040 13
arc main 0x401050 12
arc main 0x401060 11
arc main 0x401070 10
arc main 0x401080 9
arc main 0x401090 8
arc main 0x4010a0 7
arc main 0x4010b0 6
arc main 0x4010d0 4
arc main 0x4010e0 3
arc main 0x4010f0 2
arc 0x401020 0x401030 3
arc 0x401030 0x401020 4
