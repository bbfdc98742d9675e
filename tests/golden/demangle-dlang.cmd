# oracle: system
-b --demangle=dlang
-b -p --no-demangle
-b -p --demangle=gnu-v3
-b -p --demangle=java
-b -p --demangle=rust
-b -p --demangle=none
