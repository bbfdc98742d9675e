/* SPDX-License-Identifier: MIT */
/*
 * Which ranks are in the sum, and the messages by which it is made. See collect.h.
 *
 * Each MPI operation is nonblocking, followed by a wait that ends: a rank without this library, or
 * whose GMON does not ask for a sum, never takes part, and the others must not hang for it. MPI may
 * still use the memory of a request after the wait was given up: so that memory is never freed, and
 * is never on the stack.
 */
#include "collect.h"

#include <mpi.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "addup.h"
#include "handover.h"
#include "identity.h"

/* Weak, because the process may not have libgmon. */
#pragma weak gmon_sum_begin
#pragma weak gmon_sum_take
#pragma weak gmon_sum_write
#pragma weak gmon_sum_drop

enum { TAG_HEAD = 1, TAG_BYTES = 2, PIECE_BYTES = 1 << 18 };

/* What each rank sends to all others. */
struct collect_rank {
	uint64_t identity; /* identifies its program, see identity.h; 0: the rank has no profile */
	uint64_t cpu_ns;
};

/* Sent before the bytes of a profile, which follow in pieces. */
struct collect_head {
	uint64_t bytes;
	uint64_t failed;
};

struct collect {
	MPI_Comm world;    /* a duplicate of MPI_COMM_WORLD */
	MPI_Status status; /* of the last request that was waited for */
	int rank, size;
	struct handover asked;
	struct collect_rank *ranks;
	struct addup sum;
	bool failed;
	bool abandoned; /* this rank gave up waiting for some request */
	struct collect_rank self;
	struct collect_head head;
	int done; /* rank 0 has written the sum */
	unsigned char piece[PIECE_BYTES];
};

/* Writes a line to stderr, as libgmon does. */
__attribute__((format(printf, 1, 2))) static void collect_say(const char *format, ...)
{
	char line[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	fprintf(stderr, "libgmon: %s\n", line);
}

static uint64_t collect_clock(clockid_t clock)
{
	struct timespec now = { 0, 0 };

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Waits for a request: at first without pauses, then with pauses of up to 10 ms. False: it failed,
 * or took longer than GMON=mpiwait. */
static bool collect_poll(struct collect *collect, MPI_Request *request)
{
	enum { EAGER_TURNS = 1000, FIRST_NS = 50000, LONGEST_NS = 10000000 };
	uint64_t end = collect_clock(CLOCK_MONOTONIC) + collect->asked.wait * UINT64_C(1000000000);
	struct timespec pause = { 0, FIRST_NS };
	int done = 0;

	for (int turn = 0; !done; turn++) {
		if (PMPI_Test(request, &done, &collect->status) != MPI_SUCCESS)
			return false;
		if (done || turn < EAGER_TURNS)
			continue;
		if (collect_clock(CLOCK_MONOTONIC) > end)
			return false;
		nanosleep(&pause, NULL);
		if (pause.tv_nsec < LONGEST_NS)
			pause.tv_nsec *= 2;
	}
	return true;
}

/* Waits like collect_poll() for a request; `started` is what the call that started it returned. */
static bool collect_wait(struct collect *collect, int started, MPI_Request *request)
{
	bool done = started == MPI_SUCCESS && collect_poll(collect, request);

	collect->abandoned |= !done;
	return done;
}

/* Frees memory of requests, unless one of them may still be under way. */
static void collect_free(const struct collect *collect, void *memory)
{
	if (!collect->abandoned)
		free(memory);
}

static bool collect_send(struct collect *collect, int to, int tag, const void *bytes, size_t n)
{
	MPI_Request request;
	int started = PMPI_Isend(bytes, (int)n, MPI_BYTE, to, tag, collect->world, &request);

	return collect_wait(collect, started, &request);
}

/* Receives exactly n bytes. */
static bool collect_receive(struct collect *collect, int from, int tag, void *bytes, size_t n)
{
	MPI_Request request;
	int count = -1;
	int started = PMPI_Irecv(bytes, (int)n, MPI_BYTE, from, tag, collect->world, &request);

	return collect_wait(collect, started, &request) &&
	       PMPI_Get_count(&collect->status, MPI_BYTE, &count) == MPI_SUCCESS &&
	       (size_t)count == n;
}

static size_t collect_piece(size_t left)
{
	return left < PIECE_BYTES ? left : PIECE_BYTES;
}

/* Adds a profile of n bytes to the sum. */
static void collect_add(struct collect *collect, const void *bytes, size_t n)
{
	static const char *const reasons[] = { "", "no memory", "a profile is damaged",
					       "profiles have different ranges of code",
					       "GMON=rate differs" };
	enum addup_error error = addup_add(&collect->sum, bytes, n);

	if (error) {
		collect_say("GMON=mpi=sum: rank %d cannot add up: %s", collect->rank,
			    reasons[error]);
		collect->failed = true;
	}
}

/*
 * Receives the sum of a rank and of its part of the tree, and adds it. After an error, too, all
 * bytes are received, since the sender waits for that.
 */
static void collect_from(struct collect *collect, int rank)
{
	unsigned char *bytes;
	size_t all;
	bool came = collect_receive(collect, rank, TAG_HEAD, &collect->head, sizeof(collect->head));

	collect->failed |= !came || collect->head.failed;
	if (!came || !collect->head.bytes)
		return;
	all = (size_t)collect->head.bytes;
	bytes = malloc(all);
	for (size_t at = 0, n; came && at < all; at += n) {
		n = collect_piece(all - at);
		came = collect_receive(collect, rank, TAG_BYTES,
				       bytes ? bytes + at : collect->piece, n);
	}
	collect->failed |= !came || !bytes;
	if (!collect->failed)
		collect_add(collect, bytes, all);
	collect_free(collect, bytes);
}

static void collect_to(struct collect *collect, int rank)
{
	size_t n = 0;
	unsigned char *bytes =
		collect->failed || !collect->sum.rate ? NULL : addup_write(&collect->sum, &n);
	bool went;

	collect->head.failed = collect->failed || (!bytes && n);
	collect->head.bytes = bytes ? n : 0;
	went = collect_send(collect, rank, TAG_HEAD, &collect->head, sizeof(collect->head));
	for (size_t at = 0, piece; bytes && went && at < n; at += piece) {
		piece = collect_piece(n - at);
		went = collect_send(collect, rank, TAG_BYTES, bytes + at, piece);
	}
	collect->failed |= !went;
	collect_free(collect, bytes);
}

static bool collect_member(const struct collect *collect, int rank)
{
	return collect->ranks[rank].identity &&
	       collect->ranks[rank].identity == collect->ranks[0].identity;
}

/* Adds this rank's profile. */
static void collect_own(struct collect *collect)
{
	enum { SPARE_BYTES = 1 << 16 /* room for what other threads count meanwhile */ };
	size_t room = gmon_sum_take(NULL, 0) + SPARE_BYTES;
	unsigned char *bytes = malloc(room);
	size_t n = bytes ? gmon_sum_take(bytes, room) : 0;

	if (n == 0 || n > room)
		collect->failed = true;
	else
		collect_add(collect, bytes, n);
	free(bytes);
}

/*
 * A binomial tree: rank r receives from r + 1, r + 2, r + 4, ... below its lowest bit, and then
 * sends to r without that bit. Of 8 ranks:
 *
 *     1 -> 0    3 -> 2    5 -> 4    7 -> 6
 *          2 ------> 0         6 ------> 4
 *                    4 ----------------> 0
 */
static void collect_along_tree(struct collect *collect)
{
	int bit = 1;

	for (; bit < collect->size && !(collect->rank & bit); bit <<= 1)
		if (bit < collect->size - collect->rank)
			collect_from(collect, collect->rank + bit);
	if (collect->rank)
		collect_to(collect, collect->rank - bit);
}

static bool collect_write(struct collect *collect)
{
	size_t n;
	unsigned char *bytes = collect->failed ? NULL : addup_write(&collect->sum, &n);
	bool done = bytes && gmon_sum_write(bytes, n) == 0;

	free(bytes);
	return done;
}

/* Whether this rank is one of the asked.keep with the most CPU time, lower numbers first if equal.
 */
static bool collect_keeps(const struct collect *collect)
{
	const struct collect_rank *self = &collect->ranks[collect->rank];
	uint32_t before = 0;

	for (int i = 0; i < collect->size; i++) {
		uint64_t other = collect->ranks[i].cpu_ns;

		if (collect_member(collect, i))
			before += other > self->cpu_ns ||
				  (other == self->cpu_ns && i < collect->rank);
	}
	return before < collect->asked.keep;
}

static int collect_nmembers(const struct collect *collect)
{
	int n = 0;

	for (int i = 0; i < collect->size; i++)
		n += collect_member(collect, i);
	return n;
}

/* Rank 0 reports at the end how many profiles are in the sum. */
static void collect_report(const struct collect *collect)
{
	int members = collect_nmembers(collect);

	if (!members)
		collect_say("GMON=mpi=sum: no sum: libgmon does not record rank 0");
	else if (!collect->done)
		collect_say("GMON=mpi=sum: no sum: each rank writes its own file");
	else if (members < collect->size)
		collect_say("GMON=mpi=sum: %d of %d ranks are not in the sum and write their own "
			    "files: they run another build than rank 0, or record nothing",
			    collect->size - members, collect->size);
	else if (collect->asked.verbose)
		collect_say("the profiles of %d ranks are in one sum", members);
}

/*
 * Makes the sum, when all ranks have met. Returns true if rank 0 has written it and it contains
 * this rank's profile.
 */
static bool collect_all(struct collect *collect)
{
	MPI_Request request;
	bool told;

	if (collect_member(collect, collect->rank))
		collect_own(collect);
	collect_along_tree(collect);
	if (collect->rank == 0)
		collect->done = collect->ranks[0].identity && collect_write(collect);
	told = collect_wait(collect,
			    PMPI_Ibcast(&collect->done, 1, MPI_INT, 0, collect->world, &request),
			    &request);
	if (collect->rank == 0)
		collect_report(collect);
	else if (!told)
		collect_say("GMON=mpi=sum: rank %d does not know whether there is a sum, and "
			    "writes its own file",
			    collect->rank);
	return told && collect->done && collect_member(collect, collect->rank);
}

/* Waits for all ranks, and sets collect->ranks. Returns false if some did not come in time. */
static bool collect_meet(struct collect *collect, bool held)
{
	struct collect_rank *self = &collect->self;
	MPI_Request request;

	self->identity = held ? identity_of_program() : 0;
	self->cpu_ns = collect_clock(CLOCK_PROCESS_CPUTIME_ID);
	return collect_wait(collect, PMPI_Comm_idup(MPI_COMM_WORLD, &collect->world, &request),
			    &request) &&
	       PMPI_Comm_set_errhandler(collect->world, MPI_ERRORS_RETURN) == MPI_SUCCESS &&
	       collect_wait(collect,
			    PMPI_Iallgather(self, sizeof(*self), MPI_BYTE, collect->ranks,
					    sizeof(*self), MPI_BYTE, collect->world, &request),
			    &request);
}

/* In a process without libgmon, GMON shows whether other ranks will wait for this one. */
static enum handover_state collect_begin(struct collect *collect)
{
	const char *gmon = getenv("GMON");

	if (gmon_sum_begin)
		return gmon_sum_begin((uint32_t)collect->rank, &collect->asked);
	collect->asked.wait = 300;
	return gmon && strstr(gmon, "mpi=sum") ? HANDOVER_NOTHING : HANDOVER_UNASKED;
}

/* Whether this rank reports that others have not come: a few of thousands do, since it is unknown
 * whether rank 0 is there. */
static bool collect_is_speaker(int rank)
{
	return (rank & (rank - 1)) == 0;
}

/* Adds up with all memory allocated beforehand, so that no rank fails halfway for lack of it. */
static void collect_with(struct collect *collect)
{
	enum handover_state state = collect_begin(collect);
	bool in_sum = false;

	if (state == HANDOVER_UNASKED)
		return;
	if (collect_meet(collect, state == HANDOVER_HELD))
		in_sum = collect_all(collect);
	else if (collect_is_speaker(collect->rank))
		collect_say("GMON=mpi=sum: rank %d waited %u s in vain for other ranks, which "
			    "may lack libgmon_mpi or GMON or be late: it writes its own file",
			    collect->rank, (unsigned)collect->asked.wait);
	if (in_sum && !collect_keeps(collect))
		gmon_sum_drop();
	addup_free(&collect->sum);
}

/*
 * Processes that MPI_Comm_spawn() has started make no sum: they have their own MPI_COMM_WORLD,
 * whose sum would have the same name as that of their parents.
 */
static bool collect_is_wanted(void)
{
	int begun = 0, over = 0;
	MPI_Comm parent = MPI_COMM_NULL;

	return PMPI_Initialized(&begun) == MPI_SUCCESS && begun &&
	       PMPI_Finalized(&over) == MPI_SUCCESS && !over &&
	       PMPI_Comm_get_parent(&parent) == MPI_SUCCESS && parent == MPI_COMM_NULL;
}

void collect_profiles(void)
{
	struct collect *collect;
	MPI_Errhandler handler;

	if (!collect_is_wanted())
		return;
	collect = calloc(1, sizeof(*collect));
	if (!collect)
		return;
	PMPI_Comm_rank(MPI_COMM_WORLD, &collect->rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &collect->size);
	collect->ranks = calloc((size_t)collect->size, sizeof(collect->ranks[0]));
	if (collect->ranks && PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler) == MPI_SUCCESS) {
		PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
		collect_with(collect);
		PMPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
		PMPI_Errhandler_free(&handler);
	}
	if (collect->abandoned)
		return;
	free(collect->ranks);
	free(collect);
}
