/* SPDX-License-Identifier: MIT */
/*
 * What gcc and clang call at the start of every function of a -pg program on i386.
 *
 *   mcount, _mcount   called after the prologue: self is the return address, the caller 4(%ebp)
 *   __fentry__        called first in the function: self is the return address, the caller 4(%esp)
 *
 * Compilers assume that the call changes nothing but the flags: %eax, %ecx and %edx hold arguments
 * (regparm, fastcall), the static chain and the argument pointer of a function that realigns its
 * stack. The C code that is called is compiled without vector and x87 registers. The alignment of the
 * stack is unknown.
 *
 *   %esp of the call + 4   the caller, at the start of a function
 *                    + 0   self
 *                    - 4   %eax
 *                    -16   %ecx, %edx, %ebp
 *                          self, the caller: the arguments of the C code, aligned
 */
	.text

	.macro keep reg
	pushl	\reg
	.cfi_adjust_cfa_offset 4
	.endm

	.macro bring reg
	popl	\reg
	.cfi_adjust_cfa_offset -4
	.endm

	/* Jumps if nothing is to be counted. The code is position-independent: %eax becomes its address. */
	.macro unless_on label
	keep	%eax
	call	.Lhere
.Lafter\@:
	cmpb	$0, gmon_on - .Lafter\@(%eax)
	je	\label
	.endm

	.globl	mcount, _mcount
	.type	mcount, @function
	.type	_mcount, @function
	.p2align 4
mcount:
_mcount:
	.cfi_startproc
	endbr32
	unless_on .Lreturn
	keep	%ecx
	keep	%edx
	movl	4(%ebp), %eax
.Lcount:
	movl	12(%esp), %edx
	keep	%ebp
	.cfi_rel_offset %ebp, 0
	movl	%esp, %ebp
	.cfi_remember_state
	.cfi_def_cfa_register %ebp
	andl	$-16, %esp
	subl	$8, %esp
	pushl	%edx
	pushl	%eax
	call	__mcount_internal
	movl	%ebp, %esp
	.cfi_restore_state
	bring	%ebp
	.cfi_restore %ebp
	bring	%edx
	bring	%ecx
.Lreturn:
	bring	%eax
	ret
	.cfi_endproc

	.globl	__fentry__
	.type	__fentry__, @function
	.p2align 4
__fentry__:
	.cfi_startproc
	endbr32
	unless_on .Lreturn
	keep	%ecx
	keep	%edx
	movl	16(%esp), %eax
	jmp	.Lcount
	.cfi_endproc
	.size	__fentry__, . - __fentry__
	.size	mcount, __fentry__ - mcount
	.size	_mcount, __fentry__ - _mcount

	.type	.Lhere, @function
.Lhere:
	.cfi_startproc
	movl	(%esp), %eax
	ret
	.cfi_endproc

	/* Programs that link this keep indirect branch tracking and shadow stacks. */
	.section .note.gnu.property, "a", @note
	.p2align 2
	.long	4, 12, 5
	.asciz	"GNU"
	.long	0xc0000002, 4, 3
	.section .note.GNU-stack, "", @progbits
