# Several symbols at one address: which one names the function.
text 0x411000 0x100
sym _start 0x411000
sym p1_sf 0x411010 local
sym p1_gn 0x411010 notype
sym _p2_gf 0x411020
sym p2_gf 0x411020
sym __p3_gf 0x411030
sym _p3_gf 0x411030
sym p4_gf 0x411040
sym _p4_gf 0x411040
sym p5_sf 0x411050 local
sym p5_sn 0x411050 notype local
sym p6_gn 0x411060 notype
sym p6_gf 0x411060
sym z7_gf 0x411070
sym a7_gf 0x411070
sym z8_wf 0x411080 weak
sym a8_gf 0x411080
sym p9_sn 0x411090 notype local
sym _p9_gn 0x411090 notype
sym __p10_gf 0x4110a0
sym p10_gn 0x4110a0 notype
sym _p11a 0x4110b0
sym __p11b 0x4110b0
sym p11c 0x4110b0
sym p12_go 0x4110c0 object
sym p12_sf 0x4110c0 local
sym p13_rejected.cold 0x4110d0 local
sym p13 0x4110d0 local
sym etext 0x4110e0 notype
profile
hist 0x411000 0x411100 64 100
bin 1 1
bin 5 2
bin 9 3
bin 13 4
bin 17 5
bin 21 6
bin 25 7
bin 29 8
bin 33 9
bin 37 10
bin 41 11
bin 45 12
bin 49 13
bin 53 14
arc _start p2_gf 1
arc p2_gf p4_gf 2
