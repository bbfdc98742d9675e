# Static functions, with and without the mark of one, among global and weak symbols: -a leaves all static ones
# out, -D those without the mark; their samples and calls go to the symbol below.
text 0x401000 0x100
sym early 0x401000 local
sym _start 0x401010
sym helper 0x401020 local
sym loop 0x401030 notype local
sym entry 0x401040 notype
sym weak 0x401060 notype weak
sym alias 0x401080 local
sym shared 0x401080 notype
sym copy.3 0x4010a0 local
sym worker 0x4010c0
sym step.1 0x4010d0 notype local
sym etext 0x401100 notype
profile
hist 0x401000 0x401100 64 100
tick early 1
tick _start 2
tick helper 4
tick loop 8
tick weak 16
tick shared 32
tick copy.3 64
tick worker 128
tick step.1 256
arc early worker 1
arc _start helper 2
arc helper worker 3
arc loop+4 helper 4
arc helper copy.3 5
arc copy.3 worker 6
arc worker step.1+4 7
arc step.1+8 worker 8
# only static functions have samples and calls
profile
hist 0x401000 0x401100 64 100
tick helper 3
tick copy.3 7
arc _start+4 helper 1
