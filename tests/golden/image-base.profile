# The second data have addresses that are 0x55550000 above the program's, as of one that was loaded elsewhere; the
# first are the same as they should be. The address to give is that of the first page of the program, 0x401000 as it is linked.
text 0x401000 0x1000
sym main 0x401010
sym work 0x401420
sym leaf 0x401a40
sym last 0x401f60
profile
hist 0x401000 0x402000 1024 100
tick 0x401424 7
tick 0x401a48 4
arc 0x401014 0x401424 5
arc 0x401428 0x401a44 70
arc 0x401a48 0x401f64 2
profile
hist 0x55951000 0x55952000 1024 100
tick 0x55951424 7
tick 0x55951a48 4
arc 0x55951014 0x55951424 5
arc 0x55951428 0x55951a44 70
arc 0x55951a48 0x55951f64 2
