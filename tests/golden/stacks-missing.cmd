# oracle: doc/differences.md stacks
-b
-b --inclusive --call-tree
-b --inclusive --thread-view=worker
-b --inclusive --libraries=hide
-b --call-tree='[cut stack]' --inclusive='[unknown time]'
-i
