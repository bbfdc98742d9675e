# Bins that do not end where functions do: fractional bins, gaps, odd addresses, tiny functions.
text 0x401000 0x200
sym a 0x401000
sym b 0x401003
sym c 0x401006
sym d 0x40100b
sym e 0x401020
sym e2 0x401021
sym z 0x401040
sym zz 0x401100
profile
# 8 bytes a bin
hist 0x401000 0x401100 32 100
bin 0 80
bin 1 80
bin 4 8
arc a b 1
profile
# starts before the first symbol, 12.7 bytes a bin
hist 0x400ff0 0x401095 13 100
bin 0 100
bin 1 100
bin 2 100
bin 3 100
bin 12 100
arc a b 1
profile
# odd start, 4.4 bytes a bin
hist 0x401001 0x401020 7 100
bin 0 100
bin 6 100
profile
# a little less than 4 bytes a bin, as the C library makes them
hist 0x401000 0x401100 65 100
bin 0 1
bin 1 2
bin 2 4
bin 8 8
bin 16 16
bin 63 32
arc a b 1
profile
# less than 2 bytes a bin
hist 0x401000 0x401010 13 100
bin 0 1
bin 1 2
bin 2 4
bin 3 8
bin 4 16
bin 12 32
arc a b 1
