/* SPDX-License-Identifier: MIT */
/*
 * Call stacks, with -DGMON_STACKS=n: a ring of the last n that differ from the one before, each
 * with the number of ticks in a row that had it. Who called whom is found
 *
 *   Thumb    by the tables that -funwind-tables makes (.ARM.exidx and .ARM.extab; "Exception
 * Handling ABI for the Arm Architecture", 7 and 10): gcc keeps no chain of frames there RISC-V   by
 * the frame pointer, s0, of -fno-omit-frame-pointer: the caller's address and frame pointer are the
 * two words below it; in functions without calls the latter alone
 *
 * Nothing is read but these tables, code in the ranges of the profile, and where stacks may be. A
 * function that had just begun or was about to return may be missing its caller, or all.
 */
#include "gmon_embedded.h"
#include "gmon_state.h"

#ifdef GMON_STACKS

#include "gmon_ext.h"
#include "gmon_out.h"

_Static_assert(GMON_STACKS > 0 && (GMON_STACKS & (GMON_STACKS - 1)) == 0,
	       "GMON_STACKS must be a power of two");

extern void *memset(void *at, int byte, size_t n);

/* A stack, from the interrupted function outwards; one that is cut ends with GMON_EXT_GAP. */
struct gmon_stack {
	uint32_t ticks;
	uint16_t depth, quality; /* enum gmon_ext_quality */
	uintptr_t at[GMON_STACK_DEPTH + 1];
};

struct gmon_ring {
	uintptr_t low, high; /* where stacks may be */
	uint32_t next;       /* how many stacks began; the last is ring[(next - 1) % GMON_STACKS] */
	uint32_t lost;       /* ticks of those that made room, and of ticks without a stack */
	struct gmon_stack stacks[GMON_STACKS];
};

static struct gmon_ring gmon_ring;

/* A function on the stack. */
struct gmon_frame {
	uintptr_t pc, link; /* link: the return address, if has_link: of the innermost */
	uintptr_t stack, frame;
	int has_link;
};

GMON_PLAIN void gmon_stack_memory(uintptr_t low, uintptr_t high)
{
	gmon_ring.low = low;
	gmon_ring.high = high;
}

GMON_PLAIN void gmon_clear_stacks(void)
{
	gmon_ring.next = gmon_ring.lost = 0;
	memset(gmon_ring.stacks, 0, sizeof(gmon_ring.stacks));
}

/* Whether a word at this address is on a stack, above the place given. */
static GMON_PLAIN int gmon_is_on_stack(uintptr_t at, uintptr_t above)
{
	return at % sizeof(uintptr_t) == 0 && at >= above && at >= gmon_ring.low &&
	       at < gmon_ring.high && gmon_ring.high - at >= sizeof(uintptr_t);
}

static GMON_PLAIN int gmon_is_code(uintptr_t at)
{
	for (const struct gmon_span *s = gmon_state.spans; s < gmon_state.spans_end; s++) {
		if (at - s->low < s->bytes)
			return 1;
	}
	return 0;
}

/* How a step outwards ends; callers are there until then. */
enum gmon_step { GMON_STEP_CALLER, GMON_STEP_COMPLETE, GMON_STEP_BROKEN };

#if defined(__thumb__)

extern const uint32_t __exidx_start[], __exidx_end[]; /* words, in pairs */
void __gnu_mcount_nc(void);
extern const char gmon_mcount_end[];

/* What the tables' routines are called; programs of C need no such routine. */
__attribute__((weak)) GMON_PLAIN void __aeabi_unwind_cpp_pr0(void)
{
}

__attribute__((weak)) GMON_PLAIN void __aeabi_unwind_cpp_pr1(void)
{
}

/* Bytes of a function's unwinding instructions, the highest of a word first. */
struct gmon_unwind {
	const uint32_t *at;
	unsigned left, shift; /* bytes; of the next one */
	struct gmon_frame *frame;
	int failed;
};

static GMON_PLAIN uintptr_t gmon_prel31(const uint32_t *at)
{
	return (uintptr_t)at + (uintptr_t)((int32_t)(*at << 1) >> 1);
}

static GMON_PLAIN unsigned gmon_next_byte(struct gmon_unwind *u)
{
	unsigned byte = *u->at >> u->shift & 0xff;

	if (u->left == 0)
		return 0xb0; /* finish */
	u->left--;
	if (u->shift == 0)
		u->at++;
	u->shift = (u->shift - 8) & 31;
	return byte;
}

/* Returns the table's entry for the function that has this address, or NULL. */
static GMON_PLAIN const uint32_t *gmon_find_unwind(uintptr_t pc)
{
	const uint32_t *low = __exidx_start, *high = __exidx_end;

	while (high - low > 2) {
		const uint32_t *middle = low + (high - low) / 4 * 2;

		if (gmon_prel31(middle) <= pc)
			low = middle;
		else
			high = middle;
	}
	return low < __exidx_end && gmon_prel31(low) <= pc ? low : NULL;
}

static GMON_PLAIN void gmon_begin_unwind(struct gmon_unwind *u, const uint32_t *entry)
{
	u->at = entry[1] >> 31 ? entry + 1 : (const uint32_t *)gmon_prel31(entry + 1);
	u->left = 3;
	u->shift = 16;
	if (!(*u->at >> 31)) { /* with a routine of its own, as in C++ */
		u->at++;
		u->left += 4 * (*u->at >> 24);
	} else if (*u->at >> 24 & 15) {
		u->left = 2 + 4 * (*u->at >> 16 & 0xff);
		u->shift = 8;
	}
}

/* Takes registers off the stack, a bit of the mask each. */
static GMON_PLAIN void gmon_pop(struct gmon_unwind *u, unsigned mask)
{
	enum { FRAME = 7, STACK = 13, LINK = 14, PC = 15 };
	struct gmon_frame *f = u->frame;

	for (unsigned reg = 0; reg <= PC; reg++) {
		uintptr_t value;

		if (!(mask >> reg & 1))
			continue;
		if (reg == STACK || !gmon_is_on_stack(f->stack, f->stack)) {
			u->failed = 1;
			return;
		}
		value = *(const uintptr_t *)f->stack;
		f->stack += sizeof(uintptr_t);
		if (reg == FRAME)
			f->frame = value;
		else if (reg >= LINK)
			f->link = value;
		f->has_link |= reg >= LINK;
	}
}

/* Instructions 0xb1 to 0xb7, and others that begin like these. */
static GMON_PLAIN void gmon_unwind_rarely(struct gmon_unwind *u, unsigned op)
{
	unsigned more;

	if (op == 0xb1) {
		gmon_pop(u, gmon_next_byte(u) & 15);
	} else if (op == 0xb2) {
		uint32_t n = 0;
		unsigned shift = 0;

		do {
			more = gmon_next_byte(u);
			n |= (more & 0x7f) << shift;
			shift += 7;
		} while (more & 0x80 && shift < 28);
		u->frame->stack += 0x204 + (n << 2);
	} else if (op == 0xb3) {
		u->frame->stack += 8 * (gmon_next_byte(u) & 15) + 12;
	} else if (op == 0xb4) {
		u->frame->stack += sizeof(uintptr_t); /* the code that proves lr */
	} else if (op >= 0xb8) {
		u->frame->stack += 8 * (op & 7) + 12;
	} else {
		u->failed = 1;
	}
}

static GMON_PLAIN void gmon_unwind_one(struct gmon_unwind *u, unsigned op)
{
	struct gmon_frame *f = u->frame;

	if (op < 0x40)
		f->stack += (op << 2) + 4;
	else if (op < 0x80)
		f->stack -= (op << 2 & 0xff) + 4;
	else if (op < 0x90)
		gmon_pop(u, ((op & 15) << 8 | gmon_next_byte(u)) << 4);
	else if (op == 0x97)
		f->stack = f->frame;
	else if (op >= 0xa0 && op < 0xb0)
		gmon_pop(u, ((0x10u << (op & 7)) * 2 - 0x10) | (op & 8 ? 1u << 14 : 0));
	else if (op > 0xb0 && op < 0xc0)
		gmon_unwind_rarely(u, op);
	else if (op == 0xc8 || op == 0xc9)
		f->stack += 8 * (gmon_next_byte(u) & 15) + 8;
	else if (op >= 0xd0 && op < 0xd8)
		f->stack += 8 * (op & 7) + 8;
	else
		u->failed = 1;
}

/* Whether the instruction before this one is a call. */
static GMON_PLAIN int gmon_is_after_call(uintptr_t at)
{
	const uint16_t *next = (const uint16_t *)at;

	if (!gmon_is_code(at - 4) || !gmon_is_code(at - 1))
		return 0;
	return (next[-1] & 0xff80) == 0x4780 ||
	       ((next[-2] & 0xf800) == 0xf000 && (next[-1] & 0xd000) == 0xd000);
}

/*
 * Out of __gnu_mcount_nc, of which the tables know nothing: its entry code has pushed five
 * registers below the caller that gcc pushed and, before it calls gmon_count(), caller and self.
 */
static GMON_PLAIN int gmon_leave_mcount(struct gmon_frame *f)
{
	const uintptr_t *word = (const uintptr_t *)f->stack;
	unsigned n = f->has_link ? 6 : 8;

	if (!gmon_is_on_stack((uintptr_t)(word + n - 1), f->stack))
		return 0;
	f->pc = (f->has_link ? f->link : word[1]) - 2;
	f->link = word[f->has_link ? 5 : 0];
	f->stack += n * sizeof(*word);
	return (f->has_link = gmon_is_code(f->pc));
}

static GMON_PLAIN int gmon_leave(struct gmon_frame *f, const uint32_t *entry)
{
	struct gmon_unwind u = { .frame = f };
	uintptr_t below = f->stack;
	unsigned op;

	gmon_begin_unwind(&u, entry);
	while (!u.failed && (op = gmon_next_byte(&u)) != 0xb0)
		gmon_unwind_one(&u, op);
	return !u.failed && f->has_link && f->stack >= below;
}

static GMON_PLAIN enum gmon_step gmon_step_out(struct gmon_frame *f)
{
	const uintptr_t handler = (uintptr_t)-256; /* lr is more where a thread or handler began */
	const uint32_t *entry;

	if (f->pc >= ((uintptr_t)__gnu_mcount_nc & ~(uintptr_t)1) &&
	    f->pc < (uintptr_t)gmon_mcount_end)
		return gmon_leave_mcount(f) ? GMON_STEP_CALLER : GMON_STEP_BROKEN;
	entry = gmon_find_unwind(f->pc);
	if (!entry || entry[1] == 1 || !gmon_leave(f, entry))
		return GMON_STEP_BROKEN;
	if (f->link == 0 || f->link >= handler)
		return GMON_STEP_COMPLETE;
	if (!(f->link & 1) || !gmon_is_after_call(f->link - 1))
		return GMON_STEP_BROKEN;
	f->pc = f->link - 2;
	f->has_link = 0;
	return GMON_STEP_CALLER;
}

GMON_PLAIN void gmon_tick_cortex_m(const uint32_t *frame, uintptr_t exc_return, uintptr_t r7)
{
	uintptr_t bytes = exc_return & 16 ? 32 : 104; /* with floating-point registers */

	gmon_tick_stack(frame[6], frame[5], (uintptr_t)frame + bytes + (frame[7] >> 9 & 1) * 4, r7);
}

#elif defined(__riscv)

static GMON_PLAIN enum gmon_step gmon_step_out(struct gmon_frame *f)
{
	uintptr_t up, next;

	if (f->frame == 0)
		return GMON_STEP_COMPLETE;
	if (!gmon_is_on_stack(f->frame - 2 * sizeof(uintptr_t), f->stack))
		return GMON_STEP_BROKEN;
	up = ((const uintptr_t *)f->frame)[-1];
	next = ((const uintptr_t *)f->frame)[-2];
	if (f->has_link && gmon_is_on_stack(up, f->frame)) {
		next = up;
		up = f->link;
	}
	if (up == 0 || (next == 0 && !gmon_is_code(up - 1)))
		return GMON_STEP_COMPLETE;
	if (!gmon_is_code(up - 1) || (next != 0 && next <= f->frame))
		return GMON_STEP_BROKEN;
	f->pc = up - 1;
	f->stack = f->frame;
	f->frame = next;
	f->has_link = 0;
	return GMON_STEP_CALLER;
}

#else
#error "how are callers found on this machine?"
#endif

static GMON_PLAIN void gmon_walk(struct gmon_stack *s, struct gmon_frame *f)
{
	enum gmon_step step;

	s->at[0] = f->pc;
	s->depth = 1;
	while ((step = gmon_step_out(f)) == GMON_STEP_CALLER) {
		if (s->depth == GMON_STACK_DEPTH) {
			s->at[s->depth++] = GMON_EXT_GAP;
			s->quality = GMON_EXT_CUT;
			return;
		}
		s->at[s->depth++] = f->pc;
	}
	s->quality = step == GMON_STEP_COMPLETE ? GMON_EXT_COMPLETE : GMON_EXT_BROKEN;
}

static GMON_PLAIN int gmon_is_same(const struct gmon_stack *a, const struct gmon_stack *b)
{
	if (a->ticks == 0 || a->depth != b->depth || a->quality != b->quality)
		return 0;
	for (unsigned i = 0; i < a->depth; i++) {
		if (a->at[i] != b->at[i])
			return 0;
	}
	return 1;
}

/* volatile: else it might become a call of memcpy(), which there may not be. */
static GMON_PLAIN void gmon_keep(const struct gmon_stack *s)
{
	volatile struct gmon_stack *to =
		&gmon_ring.stacks[gmon_add(&gmon_ring.next, 1) % GMON_STACKS];

	gmon_add(&gmon_ring.lost, to->ticks);
	to->ticks = 0;
	to->depth = s->depth;
	to->quality = s->quality;
	for (unsigned i = 0; i < s->depth; i++)
		to->at[i] = s->at[i];
	to->ticks = 1;
}

GMON_PLAIN void gmon_tick_stack(uintptr_t pc, uintptr_t link, uintptr_t stack, uintptr_t frame)
{
	struct gmon_frame f = { pc, link, stack, frame, 1 };
	struct gmon_stack *last = &gmon_ring.stacks[(gmon_ring.next - 1) % GMON_STACKS];
	struct gmon_stack now;

	gmon_tick(pc);
	if (gmon_state.on != GMON_ON)
		return;
	gmon_walk(&now, &f);
	if (gmon_is_same(last, &now))
		gmon_add_one(&last->ticks);
	else
		gmon_keep(&now);
}

/* The nodes of one stack after the other. One that has outer functions of the stack before shares
 * their nodes. */
struct gmon_tree {
	const struct gmon_stack *before;
	uint32_t nnodes, nstacks;
	uint32_t node[GMON_STACK_DEPTH + 1]; /* of `before`, from the outermost */
};

/* The module: from the lowest to the highest of all ranges. */
static GMON_PLAIN uintptr_t gmon_low(void)
{
	uintptr_t low = UINTPTR_MAX;

	for (const struct gmon_span *s = gmon_state.spans; s < gmon_state.spans_end; s++)
		low = s->low < low ? s->low : low;
	return low;
}

static GMON_PLAIN uintptr_t gmon_high(void)
{
	uintptr_t high = 0;

	for (const struct gmon_span *s = gmon_state.spans; s < gmon_state.spans_end; s++)
		high = s->low + s->bytes > high ? s->low + s->bytes : high;
	return high;
}

static GMON_PLAIN void gmon_put_node(struct gmon_writer *w, uint32_t parent, uintptr_t at)
{
	int is_known = at != GMON_EXT_GAP && at >= gmon_low() && at < gmon_high();

	gmon_put_u32(w, parent);
	gmon_put_u32(w, is_known ? 0 : GMON_EXT_NONE);
	gmon_put_u64(w, at);
}

/* Adds a stack, and writes the nodes that it alone has, if there is a writer. */
static GMON_PLAIN void gmon_grow(struct gmon_tree *tree, const struct gmon_stack *s,
				 struct gmon_writer *w)
{
	const struct gmon_stack *before = tree->before;
	int shares = before != NULL;

	for (unsigned i = 0; i < s->depth; i++) {
		uintptr_t at = s->at[s->depth - 1 - i];

		shares = shares && i < before->depth && before->at[before->depth - 1 - i] == at;
		if (shares)
			continue;
		if (w)
			gmon_put_node(w, i > 0 ? tree->node[i - 1] : GMON_EXT_NONE, at);
		tree->node[i] = tree->nnodes++;
	}
	tree->before = s;
	tree->nstacks++;
}

enum gmon_pass { GMON_COUNT_NODES, GMON_PUT_NODES, GMON_PUT_SAMPLES };

static GMON_PLAIN void gmon_put_sample(struct gmon_writer *w, uint32_t node, uint32_t quality,
				       uint32_t ticks)
{
	gmon_put_u32(w, node);
	gmon_put_u32(w, 0);
	gmon_put_u32(w, 0);
	gmon_put_u32(w, quality);
	gmon_put_u64(w, ticks);
}

static GMON_PLAIN void gmon_pass_over(struct gmon_tree *tree, enum gmon_pass pass,
				      struct gmon_writer *w)
{
	tree->before = NULL;
	tree->nnodes = tree->nstacks = 0;
	for (unsigned i = 0; i < GMON_STACKS; i++) {
		const struct gmon_stack *s = &gmon_ring.stacks[i];

		if (s->ticks == 0)
			continue;
		gmon_grow(tree, s, pass == GMON_PUT_NODES ? w : NULL);
		if (pass == GMON_PUT_SAMPLES)
			gmon_put_sample(w, tree->node[s->depth - 1], s->quality, s->ticks);
	}
	if (gmon_ring.lost > 0) {
		tree->nstacks++;
		if (pass == GMON_PUT_SAMPLES)
			gmon_put_sample(w, GMON_EXT_NONE, GMON_EXT_CUT, gmon_ring.lost);
	}
}

/* What comes before the nodes: the head, the table and these, each a multiple of 8 bytes. */
enum {
	GMON_SECTIONS = 6,
	GMON_STRINGS_AT =
		sizeof(struct gmon_ext_head) + GMON_SECTIONS * sizeof(struct gmon_ext_section),
	GMON_MODULES_AT = GMON_STRINGS_AT + 8,
	GMON_THREADS_AT = GMON_MODULES_AT + sizeof(struct gmon_ext_module),
	GMON_KINDS_AT = GMON_THREADS_AT + GMON_EXT_THREAD_LEAST,
	GMON_NODES_AT = GMON_KINDS_AT + sizeof(struct gmon_ext_kind),
};

GMON_PLAIN size_t gmon_stacks_length(void)
{
	struct gmon_tree tree;

	gmon_pass_over(&tree, GMON_COUNT_NODES, NULL);
	return GMON_NODES_AT + tree.nnodes * sizeof(struct gmon_ext_node) +
	       tree.nstacks * sizeof(struct gmon_ext_sample);
}

static GMON_PLAIN void gmon_put_section(struct gmon_writer *w, const char *tag, size_t record,
					size_t at, uint32_t records)
{
	gmon_put_bytes(w, tag, 4);
	gmon_put_u32(w, (uint32_t)record);
	gmon_put_u64(w, at);
	gmon_put_u64(w, records);
}

static GMON_PLAIN void gmon_put_head(struct gmon_writer *w, uint64_t stamp,
				     const struct gmon_tree *tree)
{
	const size_t samples_at = GMON_NODES_AT + tree->nnodes * sizeof(struct gmon_ext_node);

	gmon_put_bytes(w, GMON_EXT_MAGIC, 8);
	gmon_put_u32(w, GMON_EXT_VERSION);
	gmon_put_u32(w, GMON_EXT_ORDER);
	gmon_put_u32(w, sizeof(uintptr_t));
	gmon_put_u32(w, GMON_SECTIONS);
	gmon_put_u64(w, stamp);
	gmon_put_u64(w, samples_at + tree->nstacks * sizeof(struct gmon_ext_sample));
	gmon_put_section(w, GMON_EXT_STRINGS, 1, GMON_STRINGS_AT, 5);
	gmon_put_section(w, GMON_EXT_MODULES, sizeof(struct gmon_ext_module), GMON_MODULES_AT, 1);
	gmon_put_section(w, GMON_EXT_THREADS, GMON_EXT_THREAD_LEAST, GMON_THREADS_AT, 1);
	gmon_put_section(w, GMON_EXT_KINDS, sizeof(struct gmon_ext_kind), GMON_KINDS_AT, 1);
	gmon_put_section(w, GMON_EXT_NODES, sizeof(struct gmon_ext_node), GMON_NODES_AT,
			 tree->nnodes);
	gmon_put_section(w, GMON_EXT_SAMPLES, sizeof(struct gmon_ext_sample), samples_at,
			 tree->nstacks);
}

GMON_PLAIN void gmon_put_stacks(struct gmon_writer *w, uint64_t stamp)
{
	struct gmon_tree tree;

	gmon_pass_over(&tree, GMON_COUNT_NODES, NULL);
	gmon_put_head(w, stamp, &tree);
	gmon_put_bytes(w, "\0cpu\0\0\0", 8);
	gmon_put_u64(w, gmon_low());
	gmon_put_u64(w, gmon_high());
	for (int i = 0; i < 2; i++)
		gmon_put_u64(w, 0); /* bias, size */
	gmon_put_u32(w, 0);
	gmon_put_bytes(w, "\0\1\0", 4); /* no build id, GMON_EXT_PROGRAM */
	for (int i = 0; i < 4 + 3; i++)
		gmon_put_u64(w, 0); /* the rest of the module; the thread */
	gmon_put_u32(w, 1);
	gmon_put_u32(w, 0);
	gmon_put_u64(w, gmon_state.rate);
	gmon_put_bytes(w, "seconds\0\0\0\0\0\0\0\0s", GMON_DIMENSION_BYTES + 1);
	gmon_pass_over(&tree, GMON_PUT_NODES, w);
	gmon_pass_over(&tree, GMON_PUT_SAMPLES, w);
}

#endif
