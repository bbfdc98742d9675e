# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Sourced, after tap.sh, by the scripts that work in bare roots of Debian.

# Where debootstrap is; not all users look there.
PATH=$PATH:/usr/sbin:/sbin

# root_obstacle: prints why no root can be made or entered here; nothing if one can. Without root's rights it takes a name
# space with the user's subordinate ids.
root_obstacle() {
	if ! command -v debootstrap >/dev/null; then
		echo 'no debootstrap: install Debian package debootstrap'
	elif ! root_space true 2>/dev/null; then
		echo 'neither root rights nor a name space with subordinate user ids'
	fi
}

# root_space COMMAND...: as root of a name space whose mounts and processes end with it.
root_space() {
	if [ "$(id -u)" = 0 ]; then
		unshare --mount --pid --fork --kill-child "$@"
	else
		unshare --map-root-user --map-auto --mount --pid --fork --kill-child "$@"
	fi
}

# root_make RELEASE ROOT: false if it cannot; what debootstrap says is in ROOT.log. Packages come from where this machine's apt
# gets Debian's, or from where debootstrap does; certificates that this machine trusts beside Debian's are trusted there, too.
# shellcheck disable=SC2016,SC2086 # for apt-get; perhaps no word
root_make() {
	root_mirror=$(apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' 2>/dev/null |
		sed -n 's/^Debian Debian //p' | head -n 1)
	root_space debootstrap --variant=minbase "$1" "$2" $root_mirror >"$2.log" 2>&1 &&
		apt-config dump | grep -E '^Acquire::(https?|Retries|Check-)' >"$2.apt" &&
		root_space cp "$2.apt" "$2/etc/apt/apt.conf.d/99machine" || return
	[ ! -d /usr/local/share/ca-certificates ] ||
		root_space cp -r /usr/local/share/ca-certificates "$2/usr/local/share"
}

# root_fill ROOT DIR: the tree's files, in an empty directory DIR of the root, known to git as in a clone.
root_fill() {
	# shellcheck disable=SC2016 # for the inner shell
	(cd "$srcdir" && git ls-files -z --cached --others --exclude-standard | tar --null -T - -c) |
		root_space sh -c 'rm -rf "$1" && mkdir -p "$1" && cd "$1" && tar -x --no-same-owner && git init -q && git add -A' sh "$1$2"
}

# root_run ROOT DIR COMMAND...: in that directory of the root.
root_run() {
	# shellcheck disable=SC2016 # for the shells in the root
	root_space sh -c '
		root=$1 enter=
		shift
		for file in resolv.conf hosts; do
			[ ! -f /etc/$file ] || cat /etc/$file >"$root/etc/$file"
		done
		# The root becomes that of the name space where it can, as name spaces cannot be made below another one.
		mount --bind "$root" "$root" && mount -t proc proc "$root/proc" && mount --rbind /sys "$root/sys" &&
			mount --rbind /dev "$root/dev" && mount -t tmpfs tmpfs "$root/dev/shm" &&
			cd "$root" && if pivot_root . . 2>/dev/null; then umount -l . && cd /; else enter="chroot ."; fi &&
			exec $enter env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LC_ALL=C.UTF-8 \
				sh -c "cd \"\$1\" && shift && exec \"\$@\"" sh "$@"' sh "$@"
}
