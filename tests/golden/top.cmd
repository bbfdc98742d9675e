# oracle: doc/differences.md top
--top
--top=3
--top=2 --confidence=99
--top --no-demangle
-b -p --top --all-symbols
--top -Pmain -P_ZNSt6vectorIiSaIiEE9push_backERKi
--top -l
--top=0
--top=4x
