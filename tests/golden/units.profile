# The unit of the per-call columns follows the slowest call; the rate is that of the file.
text 0x401000 0x80
sym main 0x401000
sym work 0x401020
sym etext 0x401060 notype
profile
hist 0x401000 0x401060 24 1
tick main 1
tick work 65535
arc main work 1
profile
hist 0x401000 0x401060 24 1
tick main 1
tick work 65535
arc main work 4
profile
hist 0x401000 0x401060 24 1
tick main 1
tick work 5
arc main work 1
profile
hist 0x401000 0x401060 24 100
tick main 1
tick work 5
arc main work 30
profile
hist 0x401000 0x401060 24 100
tick main 1
tick work 5
arc main work 3000
profile
hist 0x401000 0x401060 24 100
tick main 1
tick work 5
arc main work 4000000
profile
hist 0x401000 0x401060 24 1000000
tick main 1
tick work 3
arc main work 1
profile
hist 0x401000 0x401060 24 1000000
tick main 1
tick work 3
arc main work 4000000000
profile
hist 0x401000 0x401060 24 8192
tick main 1
tick work 13
arc main work 7
profile
hist 0x401000 0x401060 24 3
tick main 1
tick work 10
arc main work 3
