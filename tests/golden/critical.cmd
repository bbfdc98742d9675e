# oracle: doc/differences.md top
--top
-b -p --clock=critical --confidence
--top --clock=elapsed
-b --inclusive --clock=critical
--thread-view -b --clock=critical
