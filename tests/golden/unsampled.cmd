# oracle: doc/differences.md own-options
--top
--top --thread-view=shop
-b -p
