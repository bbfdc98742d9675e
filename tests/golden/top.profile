# Time in functions of long names, of wide ones, in a cycle, and in none that was called.
text 0x401000 0x200
sym main 0x401000
sym _ZN2ns5TableISt3mapISsiSt4lessISsESaISt4pairIKSsiEEESt6vectorISsSaISsEELi12345678EE6insertESt4pairIKSsiE 0x401020
sym 日本語の関数の名前はとても長いので画面の幅に収まらないことがある 0x401060
sym ping 0x4010a0
sym pong 0x4010e0
sym _ZNSt6vectorIiSaIiEE9push_backERKi 0x401120
sym calledonce 0x401160
sym alone 0x401180
sym idle 0x4011c0
sym etext 0x401200 notype
profile
hist 0x401000 0x401200 128 100
tick main 1
tick 0x401020 50
tick 0x401060 30
tick ping 10
tick pong 5
tick 0x401120 3
tick calledonce 1
tick alone 2
arc main 0x401020 10
arc main 0x401060 5
arc 0x401020 0x401060 15
arc 0x401060 ping 4
arc ping pong 7
arc pong ping 6
arc 0x401020 0x401120 1000000
arc main 0x401120 1000
arc main calledonce 1
arc main idle 12
