# oracle: doc/differences.md top
--top
--top --no-demangle
--top --libraries=hide
