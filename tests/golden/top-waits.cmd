# oracle: doc/differences.md top
--top
--top --clock=cpu
--top --clock=off
