# The last symbol lies in a section behind .text and ends where that ends; what lies behind is nobody's.
text 0x401000 0x60
section .fini 0x402000 0x20
sym main 0x401000
sym work 0x401020
sym _fini 0x402000
profile
hist 0x401000 0x402040 1040 100
tick main 1
tick work 2
tick _fini 4
tick _fini+0x1c 8
tick _fini+0x20 16
arc main work 3
arc main _fini 1
arc _fini+4 work 5
arc _fini+0x20 work 7
