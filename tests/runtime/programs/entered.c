/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls each function of entered.S by pointer, ten times; see there. Returns 4, or says what is
 * wrong. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <ucontext.h>

#define FUNCTIONS(X)   \
	X(kept_loop)   \
	X(kept_inner)  \
	X(kept_jumped) \
	X(kept_called) \
	X(kept_word)   \
	X(kept_switch) \
	X(kept_call)   \
	X(kept_short)  \
	X(kept_symbol) \
	X(kept_bare)   \
	X(kept_back)   \
	X(enters_part) \
	X(jumps)       \
	X(calls)       \
	X(bare_jump) X(moved_marked) X(moved_relative) X(moved_tiny) X(moved_jump) X(moved_if)
#define HIDDEN        __attribute__((visibility("hidden")))
#define DECLARE(name) HIDDEN int name(int);
FUNCTIONS(DECLARE)
HIDDEN int kept_fault(volatile int *), kept_table(int), moved_registers(int);
HIDDEN int calls_moved_registers(int (*)(int));

static const struct function {
	const char *name;
	int (*function)(int);
} functions[] = {
#define NAME(name) { #name, name },
	FUNCTIONS(NAME)
};
int (*volatile registers)(int) = moved_registers;
int (*volatile fault)(volatile int *) = kept_fault;
static int wrong;

/* Goes on behind a read at the start of kept_fault(), as run-time systems do that know their code.
 */
static void on_fault(int signal, siginfo_t *info, void *given)
{
	ucontext_t *context = given;

	(void)signal;
	(void)info;
	if (context->uc_mcontext.gregs[REG_RIP] != (greg_t)fault)
		wrong = 1;
	mprotect((void *)((greg_t)info->si_addr & -4096), 4096, PROT_READ);
}

static void check(const char *name, int is)
{
	if ((is & 0xff) == 1)
		return;
	printf("%s is wrong\n", name);
	wrong = 1;
}

int main(void)
{
	const struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
	/* no word of data has its address, since that would say enough */
	int (*volatile table)(int) = kept_table;
	volatile int *page = mmap(0, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	sigaction(SIGSEGV, &action, 0);
	for (int i = 0; i < 10; i++) {
		for (unsigned k = 0; k < sizeof(functions) / sizeof(functions[0]); k++) {
			const volatile struct function *f = &functions[k];

			check(f->name, f->function(0));
		}
		mprotect((void *)page, 4096, PROT_NONE);
		check("kept_fault", fault(page));
		check("kept_table", table(0));
		check("moved_registers", calls_moved_registers(registers));
	}
	return wrong ? 1 : 4;
}
