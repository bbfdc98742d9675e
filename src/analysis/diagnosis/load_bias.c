/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds out whether the addresses in the data are those of the image, and if not, by how much they
 * differ.
 *
 * A recorded callee is the address to which the function's call of the profiling entry returns;
 * other hooks record the function's start. Decoding finds these addresses in the image, to be
 * compared exactly; without a decoder, a callee has to be near a function's start.
 *
 * Images are loaded at whole pages. So each callee of a selection votes for shifts: its distances
 * to all such addresses of the image that have the same offset in a page:
 *
 *      in the image                0x1154 main    0x1194 solve    0x2154 log
 *      callee 0x555555555154       votes for 0x555555554000 (main) and 0x555555553000 (log)
 *      callee 0x555555555194       votes for 0x555555554000 (solve)
 *
 * 0x555555554000 has most votes. The 16 best shifts are tried on all callees. n log n in functions
 * and callees.
 */
#include "config.h"

#include "analysis/diagnosis/load_bias.h"

#include "base/radix.h"
#include "base/search.h"
#include "model/recorded.h"

#include <stdlib.h>

enum {
	PAGE = 4096,
	NEAR = 64,       /* most bytes from a function's start to its call of the profiling entry */
	MAX_VOTERS = 64, /* most callees that vote */
	MAX_VOTES = 1 << 20,
	MAX_CANDIDATES = 16,
};

/* Whether pc can be a callee of the image, as recorded. */
static bool load_bias_fits(const struct diagnosis *s, uint64_t pc)
{
	const struct evidence *e = s->e;
	sym_id f;

	if (s->a->profile->target.thumb)
		pc &= ~UINT64_C(1);
	if (search_has(e->entered, e->nentered, pc))
		return true;
	f = e->has_symbols ? symtab_find(&e->functions, pc) : SYM_NONE;
	if (f == SYM_NONE)
		return false;
	if (pc == e->functions.sym[f].lo)
		return true;
	return e->nentered == 0 && pc - e->functions.sym[f].lo < NEAR;
}

static size_t load_bias_count_fits(const struct diagnosis *s, uint64_t shift)
{
	size_t n = 0;

	for (size_t i = 0; i < s->ncallees; i++)
		n += load_bias_fits(s,
				    target_wrap(&s->a->profile->target, s->callees[i].pc - shift));
	return n;
}

/* Whether the bins, moved back by `shift`, are within the image, with a page of tolerance. */
static bool load_bias_range_fits(const struct diagnosis *s, uint64_t shift)
{
	uint64_t lo = target_wrap(&s->a->profile->target, s->lo - shift), hi = lo + (s->hi - s->lo);

	if (s->lo == s->hi)
		return true;
	return lo <= hi && lo + PAGE >= s->image_lo && hi <= s->image_hi + PAGE;
}

/*
 * Whether the image can have been loaded with this shift: programs are loaded in the half of the
 * address space for which they were linked; kernels use the upper half.
 */
static bool load_bias_is_possible(const struct diagnosis *s, uint64_t shift)
{
	const struct target *target = &s->a->profile->target;
	uint64_t half = UINT64_C(1) << (8 * target->ptr_size - 1);

	return !(target_wrap(target, s->opt->base + shift) & half) ==
	       !(target_wrap(target, s->opt->base) & half);
}

static int load_bias_order(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	if (a % PAGE != b % PAGE)
		return a % PAGE < b % PAGE ? -1 : 1;
	return (a > b) - (a < b);
}

/* Addresses of the image at which callees may be, sorted by offset in a page. */
struct load_bias_list {
	uint64_t *pc;
	size_t n, start[PAGE + 1];
	unsigned reach; /* a callee is fewer than this many bytes after such an address */
};

static void load_bias_list(const struct diagnosis *s, struct load_bias_list *places,
			   struct arena *mem)
{
	const struct evidence *e = s->e;
	size_t at = 0;

	places->n = e->nentered > 0 ? e->nentered : e->has_symbols ? e->functions.nsyms : 0;
	places->reach = e->nentered > 0 ? 1 : NEAR;
	places->pc = arena_array(mem, uint64_t, places->n);
	for (size_t i = 0; i < places->n; i++)
		places->pc[i] = e->nentered > 0 ? e->entered[i] : e->functions.sym[i].lo;
	qsort(places->pc, places->n, sizeof(*places->pc), load_bias_order);
	for (size_t low = 0; low <= PAGE; low++) {
		while (at < places->n && places->pc[at] % PAGE < low)
			at++;
		places->start[low] = at;
	}
}

typedef ARRAY(uint64_t) shift_array;

static void load_bias_vote(const struct diagnosis *s, const struct load_bias_list *places,
			   uint64_t pc, shift_array *votes, struct arena *mem)
{
	for (unsigned back = 0; back < places->reach; back++) {
		size_t low = (pc - back) % PAGE;

		for (size_t i = places->start[low];
		     i < places->start[low + 1] && votes->n < MAX_VOTES; i++) {
			uint64_t shift = pc - back - places->pc[i];

			if (shift != 0 && load_bias_range_fits(s, shift) &&
			    load_bias_is_possible(s, shift))
				array_push(mem, votes) = shift;
		}
	}
}

struct load_bias {
	uint64_t shift;
	size_t votes;
};

/* Keeps the shifts with the most votes, in order. */
static void load_bias_keep_best(struct load_bias *best, uint64_t shift, size_t votes)
{
	size_t at = MAX_CANDIDATES;

	while (at > 0 && best[at - 1].votes < votes)
		at--;
	if (at == MAX_CANDIDATES)
		return;
	for (size_t i = MAX_CANDIDATES - 1; i > at; i--)
		best[i] = best[i - 1];
	best[at] = (struct load_bias){ shift, votes };
}

/*
 * Returns the shift that makes the most callees fit, and sets *nfit to their number; 0 if no shift
 * got votes.
 */
static uint64_t load_bias_best_shift(const struct diagnosis *s, size_t *nfit)
{
	struct arena scratch = arena_scratch(s->mem);
	struct load_bias_list *places = arena_array(&scratch, struct load_bias_list, 1);
	struct load_bias best[MAX_CANDIDATES] = { 0 };
	size_t step = s->ncallees / MAX_VOTERS + 1, n = 0;
	shift_array votes = { 0 };
	uint64_t shift = 0;

	load_bias_list(s, places, &scratch);
	for (size_t i = 0; i < s->ncallees; i += step)
		load_bias_vote(s, places, s->callees[i].pc, &votes, &scratch);
	radix_sort_numbers(votes.at, votes.n, &scratch);
	for (size_t i = 0; i < votes.n; i++) {
		n++;
		if (i + 1 < votes.n && votes.at[i + 1] == votes.at[i])
			continue;
		load_bias_keep_best(best, votes.at[i], n);
		n = 0;
	}
	*nfit = 0;
	for (size_t i = 0; i < MAX_CANDIDATES && best[i].votes > 0; i++) {
		n = load_bias_count_fits(s, best[i].shift);
		if (n > *nfit) {
			*nfit = n;
			shift = best[i].shift;
		}
	}
	arena_free(&scratch);
	return shift;
}

/*
 * Counts the recorded callers, *n in functions that count calls, whose address is that of a call in
 * the code.
 */
static size_t load_bias_count_callers(const struct diagnosis *s, size_t *n)
{
	const struct profile *prof = s->a->profile;
	const struct evidence *e = s->e;
	size_t nfit = 0;

	*n = 0;
	for (size_t i = 0; i < prof->arcs.n && e->nreturned > 0; i++) {
		uint64_t pc = prof->arcs.at[i].from_pc;
		sym_id in = symtab_find(&e->functions, pc);

		if (in == SYM_NONE || !bitset_has(e->counts, in) || prof->arcs.at[i].ncalls == 0)
			continue;
		++*n;
		nfit += diagnosis_sites(s, pc) > 0;
	}
	return nfit;
}

static void load_bias_add_shift(struct diagnosis *s, enum finding_kind kind, uint64_t shift,
				size_t nfit)
{
	struct finding *f = diagnosis_add(s, kind);

	f->number[0] = nfit;
	f->number[1] = s->ncallees;
	f->number[2] = target_wrap(&s->a->profile->target, s->opt->base + shift);
	f->number[3] = s->opt->base;
}

static void load_bias_add_range(struct diagnosis *s, enum finding_kind kind)
{
	struct finding *f = diagnosis_add(s, kind);

	f->number[0] = s->lo;
	f->number[1] = s->hi;
	f->number[2] = s->code_lo;
	f->number[3] = s->code_hi;
}

/*
 * Adds a finding if the range of the bins alone shows a shift, where no calls were recorded: the
 * range is about as long as the code, and moved back would begin in the same page as the image or a
 * section.
 */
static bool load_bias_try_range(struct diagnosis *s)
{
	for (size_t i = 0; i <= s->e->nparts; i++) {
		uint64_t lo = i == 0 ? s->e->base : s->e->parts[i - 1].lo;
		uint64_t shift = (s->lo & ~(uint64_t)(PAGE - 1)) - (lo & ~(uint64_t)(PAGE - 1));
		uint64_t end = target_wrap(&s->a->profile->target, s->hi - shift);

		if (!diagnosis_is_share(s->hi - s->lo, s->code_hi - s->code_lo, 75))
			return false;
		if (shift != 0 && load_bias_range_fits(s, shift) &&
		    load_bias_is_possible(s, shift) && end + 2 * (uint64_t)PAGE > s->code_hi) {
			load_bias_add_shift(s, FOUND_SHIFTED_RANGE, shift, 0);
			return true;
		}
	}
	return false;
}

/*
 * Adds a finding on bins outside of the image: the program was loaded elsewhere, or they belong to
 * another program.
 */
static void load_bias_add_other_range(struct diagnosis *s)
{
	if (!load_bias_try_range(s))
		load_bias_add_range(s, s->e->image_newer ? FOUND_NEWER_RANGE : FOUND_OTHER_RANGE);
}

/*
 * Whether no function of the program counts calls, as far as code can show. Code without any call
 * shows nothing, and of calls that the runtime counted in code the file shows nothing.
 */
static bool load_bias_is_uncounted(const struct diagnosis *s)
{
	return s->e->has_calls && evidence_none_counts(s->e) &&
	       recorded_counted_part(&s->a->profile->recorded) == 0.0;
}

bool load_bias_is_wrong(struct diagnosis *s)
{
	size_t n = s->ncallees, nfit = load_bias_count_fits(s, 0), ncallers, nshifted = 0;
	bool newer = s->e->image_newer;
	uint64_t shift;
	struct finding *f;

	if (s->e->nparts == 0)
		return false;
	if (n == 0 || (s->e->nentered == 0 && !s->e->has_symbols)) {
		if (!load_bias_range_fits(s, 0)) {
			load_bias_add_other_range(s);
			return true;
		}
		n = nfit = 0;
	}
	/*
	 * Recorded callees count calls: if no function of the image does, no shift makes them fit.
	 */
	shift = 2 * nfit < n && !load_bias_is_uncounted(s) ? load_bias_best_shift(s, &nshifted) : 0;
	if (shift != 0 && diagnosis_is_share(nshifted, n, 90) && (n > 1 || s->lo != s->hi)) {
		load_bias_add_shift(s, FOUND_SHIFTED, shift, nshifted);
		return true;
	}
	nfit += load_bias_count_callers(s, &ncallers);
	n += ncallers;
	if (nfit < n && (newer ? diagnosis_is_share(n - nfit, n, 5) : 2 * nfit < n)) {
		f = diagnosis_add(s, newer ? FOUND_NEWER_PROGRAM : FOUND_OTHER_PROGRAM);
		f->number[0] = n - nfit;
		f->number[1] = n;
		return true;
	}
	if (s->ncalls > 0 && load_bias_is_uncounted(s)) {
		f = diagnosis_add(s, newer ? FOUND_NEWER_UNCOUNTED : FOUND_OTHER_UNCOUNTED);
		f->number[0] = s->ncalls;
		return true;
	}
	if (newer && n > 0)
		diagnosis_add(s, FOUND_NEWER_FITS);
	return false;
}
