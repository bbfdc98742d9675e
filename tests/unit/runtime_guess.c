/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walks through assembly without call-frame information: a function with a large aligned frame, as
 * OpenBLAS has, the first frame of a coroutine, as of boost.context, and a call that a signal
 * handler has made up, as Go's runtime does. For x86-64 alone.
 */
#include "testing.h"

#include <sys/mman.h>
#include <ucontext.h>

#include "unwind/unwind.h"

#ifdef __x86_64__
/* Saves registers, keeps the stack pointer in %rbx, takes 32 KB aligned to a page, and calls f. */
__asm__(".text\n"
	".p2align 4\n"
	"large_frame:\n"
	"	pushq %rbp\n"
	"	pushq %rbx\n"
	"	movq %rsp, %rbx\n"
	"	subq $32768, %rsp\n"
	"	andq $-4096, %rsp\n"
	"	call *%rdi\n"
	"	movq %rbx, %rsp\n"
	"	popq %rbx\n"
	"	popq %rbp\n"
	"	ret\n");

/* Calls f on another stack, whence it returns to coroutine_end. Before that there is no call. */
__asm__(".text\n"
	".p2align 4\n"
	"on_stack:\n"
	"	pushq %rbx\n"
	"	movq %rsp, %rbx\n"
	"	movq %rsi, %rsp\n"
	"	leaq coroutine_end(%rip), %rax\n"
	"	pushq %rax\n"
	"	jmp *%rdi\n"
	"coroutine_end:\n"
	"	movq %rbx, %rsp\n"
	"	popq %rbx\n"
	"	ret\n");

/* What a handler makes the interrupted code call. */
__asm__(".text\n"
	".p2align 4\n"
	"stops:\n"
	"	pushfq\n"
	"	popfq\n"
	"	ret\n");

void large_frame(void (*f)(void));
void on_stack(void (*f)(void), char *top);
void stops(void);
extern const char coroutine_end[];

static struct unwinder *unwinder;
static struct unwound seen;

static __attribute__((noinline)) void take(void)
{
	ucontext_t context;

	getcontext(&context);
	seen = unwind(unwinder, &context);
}

/* Whether a frame is in the first bytes of a function. */
static bool is_in(uintptr_t pc, const void *function)
{
	return pc - (uintptr_t)function < 256;
}

static void test_large_frame(void **state)
{
	(void)state;
	large_frame(take);
	assert_int_not_equal(seen.end, UNWIND_BROKEN);
	assert_true(seen.n > 3);
	assert_true(is_in(seen.frame[0], (const void *)take));
	assert_true(is_in(seen.frame[1], (const void *)large_frame));
	assert_true(is_in(seen.frame[2], (const void *)test_large_frame));
}

static void test_coroutine(void **state)
{
	enum { BYTES = 65536 };
	char *stack = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)state;
	assert_true(stack != MAP_FAILED);
	on_stack(take, stack + BYTES - 1024);
	assert_int_equal(seen.end, UNWIND_COMPLETE);
	assert_int_equal(seen.n, 2);
	assert_true(is_in(seen.frame[0], (const void *)take));
	assert_true(seen.frame[1] == (uintptr_t)coroutine_end);
}

/* The sample belongs to the code that was interrupted, not to what it seems to call. */
static void test_injected(void **state)
{
	ucontext_t context;
	uintptr_t stack[64] = { 0 };
	uintptr_t interrupted = (uintptr_t)large_frame + 8;

	(void)state;
	getcontext(&context);
	stack[0] = interrupted;
	context.uc_mcontext.gregs[REG_RSP] = (greg_t)stack;
	context.uc_mcontext.gregs[REG_RIP] = (greg_t)stops;
	seen = unwind(unwinder, &context);
	assert_true(seen.frame[0] == interrupted);
	/* Later in that function the word may be anything. */
	context.uc_mcontext.gregs[REG_RIP] = (greg_t)stops + 1;
	seen = unwind(unwinder, &context);
	assert_true(seen.frame[0] == (uintptr_t)stops + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_large_frame),
		cmocka_unit_test(test_coroutine),
		cmocka_unit_test(test_injected),
	};

	unwind_prepare();
	unwinder = unwind_new(64, false);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
static void test_machine(void **state)
{
	(void)state;
	skip();
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_machine) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
