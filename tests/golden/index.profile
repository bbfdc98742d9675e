# An index of three columns with names of every length, numbers of one to four digits, a cycle.
text 0x401000 0x1000
sym m 0x401000
sym a_name 0x401010
sym a_rather_long_name_of_a_function 0x401020
sym b 0x401030
sym bb 0x401040
sym bbb 0x401050
sym bbbb 0x401060
sym bbbbbbbbbb 0x401070
sym bbbbbbbbbbbbbbb 0x401080
sym bbbbbbbbbbbbbbbbbbbb 0x401090
sym an_extremely_long_name_that_no_column_of_any_index_could_hold_without_growing_far_beyond_its_width 0x4010a0
sym _u 0x4010b0
sym __uu 0x4010c0
sym c 0x4010d0
sym d 0x4010e0
sym e 0x4010f0
sym f 0x401100
sym g 0x401110
sym h 0x401120
sym static_one 0x401130 local
sym _ZN3Box4pushEi 0x401140
sym etext 0x402000 notype
profile
hist 0x401000 0x402000 1024 100
tick m 3
tick a_name 3
tick c 3
tick h 3
arc m a_name 2
arc m a_rather_long_name_of_a_function 2
arc m b 2
arc m bb 2
arc m bbb 2
arc m bbbb 2
arc m bbbbbbbbbb 2
arc m bbbbbbbbbbbbbbb 2
arc m bbbbbbbbbbbbbbbbbbbb 2
arc m an_extremely_long_name_that_no_column_of_any_index_could_hold_without_growing_far_beyond_its_width 2
arc m _u 2
arc m __uu 2
arc m c 2
arc m d 2
arc m e 2
arc m f 2
arc m g 2
arc m static_one 2
arc m _ZN3Box4pushEi 2
arc g h 1
arc h g 1
