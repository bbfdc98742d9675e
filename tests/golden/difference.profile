# Three data files: a run; another one of the same program; and one where parse is slower, skip is called less often, and
# table has time for the first time.
text 0x401000 0x200
sym main 0x401000
sym parse 0x401020
sym skip 0x401040
sym inflate 0x401060
sym table 0x401080
sym help 0x4010a0 local
sym help 0x4010c0 local
sym etext 0x401200 notype
profile
hist 0x401000 0x401200 256 100
tick main 10
tick parse 302
tick skip 190
tick inflate 410
tick 0x4010a0 3
arc main parse 120000
arc main skip 120000
arc main inflate 50000
profile
hist 0x401000 0x401200 256 100
tick main 12
tick parse 288
tick skip 201
tick inflate 420
tick 0x4010a0 1
tick 0x4010c0 2
arc main parse 120000
arc main skip 120000
arc main inflate 50000
profile
hist 0x401000 0x401200 256 1000
tick main 101
tick parse 4010
tick skip 1770
tick inflate 4130
tick table 210
arc main parse 120000
arc main skip 90000
arc main inflate 50000
arc main table 8000
