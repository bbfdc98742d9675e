# SPDX-License-Identifier: GPL-3.0-or-later
# complete.zsh DIR LINE: prints what an interactive zsh, which finds completions in DIR, offers at the end of
# LINE.
zmodload zsh/zpty || exit 77
offers=$(mktemp) || exit 1

# What is added to a list of the caller's is no offer yet.
setup='
PROMPT=
fpath=('${(q)1}' $fpath)
autoload -Uz compinit && compinit -D -u
compadd() {
	local -a found
	if [[ " $argv " != *" -"[ADO]" "* ]]; then
		builtin compadd -O found "$@"
		print -rl -- $found >>'$offers'
	fi
	builtin compadd "$@"
}
leave() { kill -KILL $$ }
zle -N leave
bindkey "^X" leave
print ready
'
zpty inner zsh -f -i
zpty -w inner $setup
zpty -r inner seen '*ready'$'\r'
zpty -w -n inner $2$'\t\C-x'
while zpty -r inner seen; do :; done
cat $offers
rm -f $offers
