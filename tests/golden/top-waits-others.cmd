# oracle: doc/differences.md top
--top
