# oracle: system
-r
--function-ordering -b -p
-b -C -r -q
-r -p -P
-r -a
-R "$here/order.map" -r
-R nosuch
-R "$here/order.map"
-b -p -R "$here/order.map"
