# oracle: doc/differences.md stacks
-b --thread-view
-b '--thread-view=[unknown thread]' --inclusive
-b --ranks=threads
--thread-view=nobody
--top
--export=folded,thread=yes -o -
