/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An mcount that does nothing: what -pg costs at least. */
	.globl	mcount, __monstartup, _mcleanup
	.type	mcount, @function
	.type	__monstartup, @function
	.type	_mcleanup, @function
	.p2align 6
mcount:
__monstartup:
_mcleanup:
	ret
	.section .note.GNU-stack, "", @progbits
