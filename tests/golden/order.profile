# Chains that grow at both ends, an arc too rare for them, a function never called, two of one name.
text 0x401000 0x100
sym start 0x401000
sym leaf 0x401010 local
sym a 0x401020
sym b 0x401030
sym c 0x401040
sym leaf 0x401050 local
sym d 0x401060
sym e 0x401070
sym idle 0x401080
sym etext 0x4010f0 notype
profile
hist 0x401000 0x401100 64 100
tick a 5
arc start a 60
arc a b 900
arc c a 800
arc b d 700
arc c 0x401050 600
arc 0x401050 a 1
arc d d 5000
arc d 0x401010 90
arc e 0x401010 3
arc 0x401010 e 2
