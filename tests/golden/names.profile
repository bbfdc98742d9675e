# Which symbols are accepted: each has one tick of its own and one call.
text 0x411000 0x400
section .init 0x410000 0x20
section .custom 0x412000 0x40
section .data 0x413000 0x20 data
sym _start 0x411000
sym lfunc 0x411010 local
sym lnotype 0x411020 notype local
sym gnotype 0x411030 notype
sym wnotype 0x411040 notype weak
sym wfunc 0x411050 weak
sym lobj 0x411060 object local
sym gobj 0x411070 object
sym wobj 0x411080 object weak
sym gifunc 0x411090 ifunc
sym lifunc 0x4110a0 ifunc local
sym a.1 0x4110b0 local
sym a.12.3 0x4110c0 local
sym a.clone.4 0x4110d0 local
sym a.constprop.5 0x4110e0 local
sym a.constprop.5.constprop.6 0x4110f0 local
sym a.constprop.0.isra.0 0x411100 local
sym a.isra.0 0x411110 local
sym a.part.0 0x411120 local
sym a.cold 0x411130 local
sym a.1.cold 0x411140 local
sym a.lto_priv.0 0x411150 local
sym a.1x 0x411160 local
sym a. 0x411170 local
sym a.clone. 0x411180 local
sym a.clone.1.2 0x411190 local
sym .b 0x4111a0 local
sym .7 0x4111b0 local
sym a..8 0x4111c0 local
sym d$x 0x4111d0 local
sym $x 0x4111e0 local
sym $d 0x4111f0 local
sym .Llab 0x411200 local
sym __gnu_compiled_c 0x411210 local
sym ___gnu_compiled_c 0x411220 local
sym __gnu_compile 0x411230 local
sym g.cold 0x411240
sym g$dollar 0x411250
sym __gnu_compiled_g 0x411260
sym "" 0x411270 local
sym zero 0x411280 size 0
sym file.c 0x411290 file local
sym last 0x4112b0
sym ginit 0x410000
sym custl 0x412000 local
sym custg 0x412010
sym wdata 0x413000 weak notype
sym wobject 0x413008 weak object
sym gdata 0x413010 notype
sym absf 0x411234 in abs
sym und 0 in undef
profile
hist 0x411000 0x411400 256 100
bin 0 1
bin 4 1
bin 8 1
bin 12 1
bin 16 1
bin 20 1
bin 24 1
bin 28 1
bin 32 1
bin 36 1
bin 40 1
bin 44 1
bin 48 1
bin 52 1
bin 56 1
bin 60 1
bin 64 1
bin 68 1
bin 72 1
bin 76 1
bin 80 1
bin 84 1
bin 88 1
bin 92 1
bin 96 1
bin 100 1
bin 104 1
bin 108 1
bin 112 1
bin 116 1
bin 120 1
bin 124 1
bin 128 1
bin 132 1
bin 136 1
bin 140 1
bin 144 1
bin 148 1
bin 152 1
bin 156 1
bin 160 1
bin 164 1
bin 168 1
bin 172 1
arc _start lfunc 1
