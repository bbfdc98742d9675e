# oracle: doc/differences.md own-options
-b
-b --all-symbols
--all-s -b -p -z
-b --all-symbols -a -p
-b --all-symbols -D -p
-b --all-symbols -k main/work.part.0 -C
