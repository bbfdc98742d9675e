# oracle: doc/differences.md own-options
-b -p -q
-b -p --inclusive
-b -p --inclusive --gnu-symbols
-b -p -q --estimated
--top
