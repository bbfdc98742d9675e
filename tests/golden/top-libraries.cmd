# oracle: doc/differences.md top
--top
--top --estimated
