# oracle: doc/differences.md order-names-once
-R "$here/order-objects.map"
-b -p -R "$here/order-objects.map"
-b -q --file-ordering="$here/order-objects.map"
-R "$here/order-objects.bad"
-R "$here/order-objects.cmd"
-R /dev/null
-r -k a/b
-b -p -R "$here/order-objects.nm"
-R "$here/order-objects.nm"
