/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The second thread claims chunks one at a time, under a lock, which takes about a hundredth of the
 * time that formatting takes. It claims the first free chunk that is at least LEAD chunks after the
 * caller's, and then the chunks after it:
 *
 *     chunk   0 1 2 3 4 5 6 7 8 9 ...
 *             w w c . . . . . . . D D D x     w: written, c: the caller formats it,
 *                                             D: formatted in memory, x: being formatted
 *
 * When the caller reaches these chunks, it only writes them, and the second thread skips LEAD
 * chunks again. So each thread formats several chunks in a row, which suits its caches, and the
 * caller seldom reaches a chunk that is being formatted.
 *
 * A chunk whose text does not fit into memory is left to the caller, and from then on the second
 * thread tries no chunk with as many lines: so the second thread adapts to the length of lines,
 * after some fifty failures at most.
 *
 * If the second thread makes no progress because other programs use its processor, the caller
 * formats the chunk itself, and the second thread's attempt is dropped.
 */
#include "config.h"

#include "base/parallel_output.h"

#include "base/worker.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <time.h>

enum {
	WINDOW = 16, /* the most chunks, from the caller's on, that may be in memory */
	LEAD = 8,
	FEWER = 8, /* after a chunk did not fit, only chunks with at least an eighth fewer lines are
		      tried */
	PATIENCE_NS = 2000000, /* how long the caller waits for a chunk: several times what a chunk
				  takes */
	SECOND_NS = 1000000000
};

#define TEXT_BYTES ((size_t)384 * 1024) /* memory for the text of one chunk */

enum chunk_state { CHUNK_FREE, CHUNK_CLAIMED, CHUNK_DROPPED, CHUNK_DONE, CHUNK_FAILED };

struct parallel_output_slot {
	size_t chunk, nlines;
	enum chunk_state state;
	struct output text;
};

/* Data that both threads share. */
struct parallel_output_run {
	const struct parallel_output *chunks;
	const struct output *out;
	pthread_mutex_t lock;
	pthread_cond_t moved,
		ended; /* the caller went to its next chunk; the second thread has finished one */
	/* Under the lock: */
	size_t at;       /* the chunk that the caller is at */
	size_t next;     /* the first chunk that the second thread has not claimed yet */
	size_t too_many; /* the second thread takes no chunk of this many lines or more: their text
			    would not fit */
	bool waits;      /* the second thread waits for the caller */
	struct parallel_output_slot slot[WINDOW]; /* chunk n is in slot[n % WINDOW] */
	char memory[WINDOW][TEXT_BYTES];
};

/* The chunk that the second thread formats. */
struct parallel_output_attempt {
	struct parallel_output_run *run;
	struct worker *second;
	struct parallel_output_slot *slot;
};

/* Gives up the attempt: the text does not fit into memory. */
__attribute__((noreturn)) static void parallel_output_is_full(void *arg, struct output *text,
							      bool is_all)
{
	struct arena *mem = arg;

	(void)text;
	(void)is_all;
	mem->no_memory(mem->arg);
}

static void parallel_output_attempt(void *arg)
{
	struct parallel_output_attempt *attempt = arg;
	const struct parallel_output *chunks = attempt->run->chunks;
	struct parallel_output_slot *slot = attempt->slot;
	struct arena *mem = &attempt->second->mem;

	output_open_memory(&slot->text, attempt->run->memory[slot->chunk % WINDOW], TEXT_BYTES,
			   attempt->run->out, parallel_output_is_full, mem);
	chunks->format(chunks->writer[1], slot->chunk, mem, &slot->text);
}

/* Takes the next chunk for the second thread; NULL if it has nothing more to do. */
static struct parallel_output_slot *parallel_output_claim(struct parallel_output_run *run)
{
	size_t n = run->chunks->n;

	while (run->too_many > 0) {
		size_t chunk = run->at + LEAD < n ? run->at + LEAD : run->at + 1;
		struct parallel_output_slot *slot;

		chunk = run->next > chunk ? run->next : chunk;
		if (chunk >= n)
			return NULL;
		if (chunk < run->at + WINDOW) {
			slot = &run->slot[chunk % WINDOW];
			slot->chunk = chunk;
			slot->state = CHUNK_CLAIMED;
			run->next = chunk + 1;
			return slot;
		}
		run->waits = true;
		pthread_cond_wait(&run->moved, &run->lock);
		run->waits = false;
	}
	return NULL;
}

static void parallel_output_help(struct worker *second, void *arg)
{
	struct parallel_output_run *run = arg;
	const struct parallel_output *chunks = run->chunks;
	struct parallel_output_attempt attempt = { .run = run, .second = second };
	struct parallel_output_slot *slot;

	pthread_mutex_lock(&run->lock);
	while ((slot = parallel_output_claim(run)) != NULL) {
		bool fits, done;

		pthread_mutex_unlock(&run->lock);
		slot->nlines = chunks->lines(chunks->writer[1], slot->chunk);
		fits = slot->nlines < run->too_many;
		attempt.slot = slot;
		done = fits && worker_try(second, parallel_output_attempt, &attempt);
		arena_reset(&second->mem);
		pthread_mutex_lock(&run->lock);
		if (fits && !done)
			run->too_many = slot->nlines - slot->nlines / FEWER;
		if (slot->state == CHUNK_DROPPED)
			slot->state = CHUNK_FREE;
		else
			slot->state = done ? CHUNK_DONE : CHUNK_FAILED;
		pthread_cond_signal(&run->ended);
	}
	pthread_mutex_unlock(&run->lock);
}

/* Waits until the second thread has finished the chunk, at most PATIENCE_NS. */
static void parallel_output_wait(struct parallel_output_run *run, struct parallel_output_slot *slot)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += PATIENCE_NS;
	until.tv_sec += until.tv_nsec / SECOND_NS;
	until.tv_nsec %= SECOND_NS;
	while (slot->state == CHUNK_CLAIMED &&
	       pthread_cond_timedwait(&run->ended, &run->lock, &until) != ETIMEDOUT)
		;
	if (slot->state == CHUNK_CLAIMED)
		slot->state = CHUNK_DROPPED;
}

/* Moves the caller to a chunk. Returns the text that the second thread has made of it, or NULL. */
static const struct parallel_output_slot *parallel_output_come_to(struct parallel_output_run *run,
								  size_t chunk)
{
	struct parallel_output_slot *slot = &run->slot[chunk % WINDOW];
	bool done = false;

	pthread_mutex_lock(&run->lock);
	run->at = chunk;
	if (run->waits && run->next < chunk + LEAD)
		pthread_cond_signal(&run->moved);
	if (slot->chunk == chunk && slot->state != CHUNK_FREE) {
		parallel_output_wait(run, slot);
		done = slot->state == CHUNK_DONE;
	}
	pthread_mutex_unlock(&run->lock);
	return done ? slot : NULL;
}

/* Writes all chunks; run is NULL if there is only one thread. */
static void parallel_output_write_all(const struct parallel_output *chunks,
				      struct parallel_output_run *run, struct output *out)
{
	size_t nlines = 0;

	for (size_t i = 0; i < chunks->n; i++) {
		const struct parallel_output_slot *made =
			run ? parallel_output_come_to(run, i) : NULL;

		progress_at(chunks->progress, nlines);
		if (made) {
			nlines += made->nlines;
			output_append(out, &made->text);
		} else {
			nlines += chunks->lines(chunks->writer[0], i);
			chunks->format(chunks->writer[0], i, NULL, out);
		}
	}
}

/* Allocates memory for two threads, most of which mostly stays untouched; NULL if there is none. */
static struct parallel_output_run *parallel_output_make_run(const struct parallel_output *chunks,
							    const struct output *out)
{
	struct parallel_output_run *run = mmap(NULL, sizeof(*run), PROT_READ | PROT_WRITE,
					       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	pthread_condattr_t clock;

	if (run == MAP_FAILED)
		return NULL;
	madvise(run, sizeof(*run), MADV_NOHUGEPAGE);
	run->chunks = chunks;
	run->out = out;
	run->too_many = PARALLEL_OUTPUT_MOST_LINES + 1;
	pthread_mutex_init(&run->lock, NULL);
	pthread_cond_init(&run->moved, NULL);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&run->ended, &clock);
	pthread_condattr_destroy(&clock);
	return run;
}

static void parallel_output_free_run(struct parallel_output_run *run)
{
	pthread_cond_destroy(&run->ended);
	pthread_cond_destroy(&run->moved);
	pthread_mutex_destroy(&run->lock);
	munmap(run, sizeof(*run));
}

void parallel_output_write(const struct parallel_output *chunks, struct output *out,
			   const struct arena *parent)
{
	bool two = chunks->n >= PARALLEL_OUTPUT_LEAST && !chunks->alone;
	struct parallel_output_run *run = two ? parallel_output_make_run(chunks, out) : NULL;
	struct worker second;

	if (run && worker_start(&second, parent, parallel_output_help, run)) {
		parallel_output_write_all(chunks, run, out);
		worker_join(&second);
		arena_free(&second.mem);
		arena_pool_free(&second.pool);
	} else {
		parallel_output_write_all(chunks, NULL, out);
	}
	if (run)
		parallel_output_free_run(run);
}
