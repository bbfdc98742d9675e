/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kind of a wait is known by the system call that ends a stack and, if that is for a
 * descriptor, by what the descriptor was. What a futex is for, the names of the library's functions
 * above it tell.
 */
#include "config.h"

#include "analysis/top_waits.h"

#include "analysis/top_frames.h"
#include "base/array.h"
#include "base/index.h"
#include "base/radix.h"
#include "base/strtable.h"
#include "model/awaited.h"

#include <string.h>

static const char head[] = "[waiting: ";

/* System calls by what they wait for, each between blanks. */
static const struct {
	const char *kind, *calls;
} kinds[] = {
	{ "sleep", " nanosleep clock_nanosleep pause " },
	{ "network", " recvfrom recvmsg recvmmsg sendto sendmsg sendmmsg accept accept4 connect " },
	{ "events", " poll ppoll ppoll_time64 select _newselect pselect6 epoll_wait epoll_pwait "
		    "epoll_pwait2 " },
	{ "disk",
	  " fsync fdatasync msync sync syncfs sync_file_range pread64 pwrite64 preadv pwritev "
	  "openat openat2 open newfstatat statx getdents64 unlink unlinkat rename renameat2 "
	  "mkdir mkdirat copy_file_range ftruncate fallocate execve " },
	{ "child", " wait4 waitid waitpid vfork clone clone3 " },
	{ "pipe", " splice tee vmsplice " },
	{ "file lock", " flock fcntl fcntl64 " },
	{ "signal", " rt_sigtimedwait rt_sigsuspend " },
};

/* Functions, by a part of their names, that wait with futex() for something else than a lock. */
static const struct {
	const char *part, *kind;
} futexes[] = {
	{ "cond_", "condition" }, { "condition_variable", "condition" },
	{ "join", "thread" },     { "sem_", "semaphore" },
	{ "barrier", "barrier" },
};

/* Returns what n functions of libraries, the innermost first, use futex() for. */
static const char *top_waits_futex(const struct symtab *symtab, const sym_id *above, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		for (size_t k = 0; k < sizeof(futexes) / sizeof(futexes[0]); k++) {
			if (strstr(symtab->sym[above[i]].name, futexes[k].part))
				return futexes[k].kind;
		}
	}
	return "lock";
}

/* Returns the kind of the wait in the symbol `wait`, with `n` symbols above it, the nearest first.
 */
static const char *top_waits_kind(const struct symtab *symtab, sym_id wait, const sym_id *above,
				  uint32_t n, struct arena *mem)
{
	const char *name = symtab->sym[wait].name;
	char *call, *blanked;

	if (strcmp(name, "[waiting]") == 0)
		return "memory"; /* in no call: a page is not there yet */
	if (strncmp(name, head, strlen(head)) != 0)
		return "unknown"; /* no look found it there */
	call = arena_strndup(mem, name + strlen(head), strlen(name) - strlen(head) - 1);
	if (strncmp(call, "futex", strlen("futex")) == 0)
		return top_waits_futex(symtab, above, n);
	if (awaited_kind(call))
		return awaited_kind(call);
	blanked = arena_array(mem, char, strlen(call) + 3);
	stpcpy(stpcpy(stpcpy(blanked, " "), call), " ");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strstr(kinds[i].calls, blanked))
			return kinds[i].kind;
	}
	return call;
}

/* Returns the line in the function itself of an address: of the call, if code was inlined there. */
static struct location top_waits_line(const struct line_costs *costs, uint32_t address)
{
	const struct source_frame *frame;

	if (!costs || !costs->address_frame)
		return (struct location){ NULL, 0 };
	frame = &costs->frame[costs->address_frame[address]];
	while (frame->caller != FRAME_LAST)
		frame = &costs->frame[frame->caller];
	return (struct location){ frame->file, frame->line };
}

/* Waiting in one place. Strings are interned. */
struct waiting_place {
	struct top_wait wait;
	double ticks;
};

INDEX_KEY(waiting_key, struct waiting_place, (uintptr_t)x->wait.kind, x->wait.function,
	  (uintptr_t)x->wait.line.file, x->wait.line.line)

struct waiting {
	const struct analysis *a;
	const struct call_trees *trees;
	const struct line_costs *costs;
	ARRAY(struct waiting_place) places;
	struct index index;
	struct strtable texts;
	double total;
	struct arena *mem;
};

enum { MOST_ABOVE = 16 };

/* Threads that libraries have for themselves wait all the time: they come after all others. */
static const double last = 1e-30;

/* Adds the waiting of node i to its place: the nearest function of the user's own code above. */
static void top_waits_add(struct waiting *w, const struct stacks *tree, uint32_t i)
{
	const struct stack_node *node = &tree->node[i];
	sym_id above[MOST_ABOVE];
	struct waiting_place wanted = { .wait.function = SYM_NONE };
	uint32_t n = 0, at = node->parent, place;

	for (; at != STACKS_NONE; at = tree->node[at].parent) {
		uint32_t address = tree->node[at].function;
		sym_id s = w->trees->address[address].symbol;

		if (top_frames_is_own(w->a, s)) {
			wanted.wait.function = s;
			wanted.wait.line = top_waits_line(w->costs, address);
			break;
		}
		if (n < MOST_ABOVE)
			above[n++] = s;
	}
	wanted.wait.line.file = strtable_add(&w->texts, wanted.wait.line.file);
	wanted.wait.kind =
		strtable_add(&w->texts, top_waits_kind(&w->a->program->symtab,
						       w->trees->address[node->function].symbol,
						       above, n, w->mem));
	place = index_intern(&w->index, &w->places, &wanted, waiting_key, w->mem);
	w->places.at[place].ticks += (double)node->waiting;
	w->total += (double)node->waiting;
}

/*
 * Sorts the places for the screen: those of the user's own code, then the others, each by time. The
 * heaviest of the others keeps a line if it has more than the last one of the lines.
 */
static const struct keyed *top_waits_order(const struct waiting *w)
{
	uint32_t n = (uint32_t)w->places.n, others = 0;
	struct keyed *order = arena_array(w->mem, struct keyed, n);

	for (uint32_t i = 0; i < n; i++) {
		const struct waiting_place *place = &w->places.at[i];
		bool own = place->wait.function != SYM_NONE;

		order[i] = (struct keyed){ radix_key_descending(place->ticks * (own ? 1.0 : last)),
					   i };
		others += !own;
	}
	radix_sort_keyed(order, n, w->mem);
	if (others > 0 && n - others >= TOP_WAITS &&
	    w->places.at[order[n - others].id].ticks > w->places.at[order[TOP_WAITS - 1].id].ticks)
		order[TOP_WAITS - 1] = order[n - others];
	return order;
}

const struct top_wait *top_waits_make(const struct analysis *a, const struct call_trees *trees,
				      const struct line_costs *costs, uint32_t *n,
				      struct arena *mem)
{
	const struct stacks *tree = &trees->thread[0].addresses;
	struct arena scratch = arena_scratch(mem);
	struct waiting w = {
		.a = a, .trees = trees, .costs = costs, .texts = { .mem = mem }, .mem = &scratch
	};
	struct top_wait *waits = arena_array(mem, struct top_wait, TOP_WAITS);
	const struct keyed *order;

	for (uint32_t i = 0; i < tree->n; i++) {
		if (tree->node[i].waiting > 0)
			top_waits_add(&w, tree, i);
	}
	order = top_waits_order(&w);
	*n = w.places.n < TOP_WAITS ? (uint32_t)w.places.n : TOP_WAITS;
	for (uint32_t i = 0; i < *n; i++) {
		const struct waiting_place *place = &w.places.at[order[i].id];

		waits[i] = place->wait;
		waits[i].share = place->ticks / w.total;
	}
	arena_free(&scratch);
	return waits;
}

/* Time of a frame's function at one line. */
struct frame_line {
	uint32_t frame;
	struct location line;
	double ticks;
};

INDEX_KEY(frame_line_key, struct frame_line, x->frame, (uintptr_t)x->line.file, x->line.line)

const struct top_frame *top_waits_add_lines(const struct analysis *a,
					    const struct top_frame *frames, uint32_t n,
					    const struct call_trees *trees,
					    const struct line_costs *costs, struct arena *mem)
{
	const struct stacks *tree = &trees->thread[0].addresses;
	struct arena scratch = arena_scratch(mem);
	struct top_frame *with = arena_array(mem, struct top_frame, n);
	ARRAY(struct frame_line) lines = { 0 };
	struct index index = { 0 };
	double most[TOP_FRAMES] = { 0 };

	memcpy(with, frames, n * sizeof(*frames));
	for (uint32_t i = 0; i < tree->n; i++) {
		const struct stack_node *node = &tree->node[i];
		sym_id s = trees->address[node->function].symbol;

		for (uint32_t k = 0; k < n; k++) {
			const struct frame_line wanted = {
				.frame = k, .line = top_waits_line(costs, node->function)
			};
			uint32_t place;

			if (frames[k].function != s || !wanted.line.file ||
			    !top_frames_has_line(a, s))
				continue;
			place = index_intern(&index, &lines, &wanted, frame_line_key, &scratch);
			lines.at[place].ticks += (double)node->total;
		}
	}
	for (size_t i = 0; i < lines.n; i++) {
		const struct frame_line *line = &lines.at[i];

		if (line->ticks <= most[line->frame])
			continue;
		most[line->frame] = line->ticks;
		with[line->frame].line = line->line;
	}
	arena_free(&scratch);
	return with;
}
