# oracle: doc/differences.md top
--top
--inclusive --clock=off -b
