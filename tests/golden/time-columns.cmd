# oracle: doc/differences.md own-options
--time-columns
-A -l --time-columns
-b -p -J --time-columns
