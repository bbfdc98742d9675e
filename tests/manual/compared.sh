# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Two builds of a program, old and new, with one run of each: parse_line is slower, hash_find is called less often, and
# utf8_check is new.
write_side() {
	cat <<-END
		text 0x401000 0x200
		sym main 0x401000
		sym parse_line 0x401020
		sym hash_find 0x401040
		sym inflate 0x401060
		sym $1 0x401080
		profile
		hist 0x401000 0x401200 128 100
		tick main 10
		tick parse_line $2
		tick hash_find $3
		tick inflate $4
		tick $1 $5
		arc main parse_line 120000
		arc main hash_find $6
		arc main inflate 50000
		arc main $1 8000
	END
}
mkdir old new
write_side ascii_check 302 190 410 2 120000 >old.profile
write_side utf8_check 401 177 413 21 90000 >new.profile
for side in old new; do
	"$TOOLS/mkprofile" $side.profile $side || exit 1
	rm $side.profile
done
