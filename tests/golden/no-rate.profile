# No rate of sampling is known: there are no samples at all, or a rate of 0 was recorded. Calls are good.
text 0x401000 0x80
sym main 0x401000
sym work 0x401020
sym etext 0x401060 notype
profile
arc main work 4
profile
hist 0x401000 0x401060 24 0
tick main 1
tick work 3
arc main work 4
