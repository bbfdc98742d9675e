/* SPDX-License-Identifier: MIT */
/* Memory for counts: private, or pages of the live file. See count_block.h. */
#include "count/count_block.h"

#include "base/mask.h"
#include "base/pool.h"
#include "base/sandbox.h"
#include "base/text.h"
#include "base/wide.h"
#include "count/live_file.h"
#include "count/live_window.h"
#include "state.h"

/*
 * The smallest page size of any kernel; GMON_LIVE_PAGE is a multiple of the page size of every
 * kernel.
 */
enum { COUNT_BLOCK_PAGE = 4096 };
static uint64_t count_block_round(uint64_t bytes, uint64_t page)
{
	return (bytes + page - 1) & ~(page - 1);
}

static uintptr_t count_block_data(const struct count_block *block)
{
	return (uintptr_t)block + GMON_LIVE_BLOCK_HEAD;
}

/* Whether the data begin at a page boundary: then they are, or can become, pages of the file. */
static bool count_block_is_apart(const struct count_block *block)
{
	return block->data > GMON_LIVE_BLOCK_HEAD;
}
void count_block_say_spoiled(void)
{
	const char *name = gmon.live_file.name;

	if (!__atomic_exchange_n(&gmon.blocks.spoiled, 1, __ATOMIC_RELAXED))
		text_complain(name ? "impossible counts are left out: somebody has written to"
				   : "impossible counts are left out",
			      name, 0);
}

/* Gives a block private, zeroed data in place of those that it has. */
static bool count_block_make_private(struct count_block *block)
{
	block->file_offset = 0;
	return sys_mmap((void *)count_block_data(block), block->bytes - block->data,
			PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

/* The head of a block in the file: see gmon_live.h. */
struct count_block_record {
	uint64_t bytes;
	uint32_t kind, ready;
	_Alignas(8) uintptr_t word;
	_Alignas(8) uintptr_t low;
	_Alignas(8) uint64_t data;
	uint64_t offset;
};

_Static_assert(offsetof(struct count_block_record, bytes) == GMON_LIVE_AT_BYTES, "see gmon_live.h");
_Static_assert(offsetof(struct count_block_record, kind) == GMON_LIVE_AT_KIND, "see gmon_live.h");
_Static_assert(offsetof(struct count_block_record, ready) == GMON_LIVE_AT_READY, "see gmon_live.h");
_Static_assert(offsetof(struct count_block_record, word) == GMON_LIVE_AT_WORD, "see gmon_live.h");
_Static_assert(offsetof(struct count_block_record, low) == GMON_LIVE_AT_LOW, "see gmon_live.h");
_Static_assert(offsetof(struct count_block_record, data) == GMON_LIVE_AT_DATA, "see gmon_live.h");
_Static_assert(offsetof(struct count_block_record, offset) == GMON_LIVE_AT_OFFSET,
	       "see gmon_live.h");
_Static_assert(sizeof(struct count_block_record) <= GMON_LIVE_BLOCK_HEAD, "see gmon_live.h");

static struct count_block_record count_block_record(const struct count_block *block)
{
	return (struct count_block_record){
		.bytes = block->bytes,
		.kind = block->kind,
		.ready = block->ready,
		.word = block->word,
		.low = block->low,
		.data = block->data,
		.offset = block->file_offset,
	};
}

static long count_block_write_head(const struct count_block *block, int fd)
{
	const struct count_block_record record = count_block_record(block);
	long done = sys_write_at(fd, &record, sizeof(record), block->file_offset);

	return sys_failed(done) ? done : 0;
}

/* Writes the block's first data to the file, where the block begins at offset. 0 or -errno. */
static long count_block_copy(const struct count_block *block, int fd, uint64_t offset, size_t bytes)
{
	long n;

	for (size_t at = 0; at < bytes; at += (size_t)n) {
		n = sys_write_at(fd, (const char *)count_block_data(block) + at, bytes - at,
				 offset + block->data + at);
		if (sys_failed(n) || n == 0)
			return n ? n : -EIO;
	}
	return 0;
}

/*
 * Appends a block to the file and maps its data from there; the first `keep` bytes of them are
 * kept. The head is written last: readers skip a block without one. 0 or -errno.
 */
static long count_block_put(struct count_block *block, int fd, size_t keep)
{
	uint64_t bytes = count_block_round(block->bytes, GMON_LIVE_PAGE);
	uint64_t offset = wide_add(&gmon.live_file.end, bytes);
	long done = live_file_reserve(fd, offset, bytes);

	if (!done)
		done = count_block_copy(block, fd, offset, keep);
	if (done)
		return done;
	if (!sys_mmap((void *)count_block_data(block), block->bytes - block->data,
		      PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, offset + block->data))
		return -ENOMEM;
	block->file_offset = offset;
	return count_block_write_head(block, fd);
}

/*
 * The same in the window, a mapping of which is moved to where the block is:
 *
 *     window   | record ... | data ... |     mapped anywhere
 *     memory   | ... head   | data ... |     in place of the data that were here
 */
static long count_block_put_in_window(struct count_block *block, size_t keep)
{
	uint64_t bytes = count_block_round(block->bytes, GMON_LIVE_PAGE);
	uint64_t offset = wide_add(&gmon.live_file.end, bytes);
	char *at = live_window_map(offset, block->bytes);
	const uintptr_t *from = (const uintptr_t *)count_block_data(block);
	uintptr_t *to = (uintptr_t *)(at + block->data);
	size_t n = block->bytes - block->data;

	if (!at)
		return -ENOMEM;
	/* Zeros are there, and take no memory as long as nobody writes them. */
	for (size_t i = 0; i < (keep + sizeof(*to) - 1) / sizeof(*to); i++)
		if (from[i])
			to[i] = from[i];
	if (sys_failed(SYS6(SYS_mremap, to, n, n, MREMAP_MAYMOVE | MREMAP_FIXED, from, 0))) {
		sys_munmap(at, block->bytes);
		return -ENOMEM;
	}
	block->file_offset = offset;
	*(struct count_block_record *)at = count_block_record(block);
	sys_munmap(at, block->data);
	return 0;
}

static long count_block_put_in_file(struct count_block *block, size_t keep)
{
	long fd = live_file_open();
	long done = fd;

	if (!sys_failed(fd)) {
		done = count_block_put(block, (int)fd, keep);
		sys_close((int)fd);
	}
	return done;
}

/* Whether blocks can become shared. */
static bool count_block_can_share(void)
{
	return live_window_is_there() || live_file_path();
}

/*
 * Makes a block part of the window or live file; the first `keep` bytes of its data are kept. 0, or
 * -errno after a line on stderr.
 */
static long count_block_attach(struct count_block *block, size_t keep)
{
	bool window = live_window_is_there();
	struct mask mask;
	long done;

	if (sandbox_closed()) {
		gmon.live_file.lost = 1; /* live_end() reports this */
		return -EPERM;
	}
	mask_all(&mask);
	done = window ? count_block_put_in_window(block, keep)
		      : count_block_put_in_file(block, keep);
	mask_restore(&mask);
	if (done == -ENODATA)
		live_file_say_truncated();
	else if (sys_failed(done))
		live_file_say_incomplete(done);
	return done;
}

static void count_block_list(struct count_block *block)
{
	struct count_block **first =
		count_block_is_of_thread(block) ? &gmon.blocks.of_threads : &gmon.blocks.newest;

	block->next = __atomic_load_n(first, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(first, &block->next, block, false, __ATOMIC_RELEASE,
					    __ATOMIC_RELAXED))
		;
}

/*
 * Makes a zeroed block that shares no pages. The data begin after `before` bytes, the last of which
 * are the block's head.
 */
static struct count_block *count_block_pages(size_t bytes, uint32_t before)
{
	size_t size = count_block_round(bytes - GMON_LIVE_BLOCK_HEAD + before, COUNT_BLOCK_PAGE);
	char *memory = size < bytes ? NULL : sys_memory(size);
	struct count_block *block;

	if (!memory)
		return NULL;
	block = (void *)(memory + before - GMON_LIVE_BLOCK_HEAD);
	block->bytes = size;
	block->data = before;
	return block;
}

void *count_block_new(enum gmon_live_kind kind, size_t bytes, uintptr_t word, uintptr_t low)
{
	bool apart = gmon.blocks.apart;
	uint32_t before = apart ? (uint32_t)gmon.blocks.page : GMON_LIVE_BLOCK_HEAD;
	bool pooled = !apart && bytes <= POOL_MOST;
	struct count_block *block = pooled ? pool_take(bytes) : count_block_pages(bytes, before);

	if (!block)
		return NULL;
	if (pooled)
		block->bytes = bytes;
	block->kind = kind;
	block->ready = GMON_LIVE_READY;
	block->word = word;
	block->low = low;
	if (apart && count_block_can_share() && count_block_attach(block, 0) &&
	    !count_block_make_private(block))
		return NULL;
	count_block_list(block);
	return block;
}

struct count_block *count_block_first(void)
{
	struct count_block *first = __atomic_load_n(&gmon.blocks.newest, __ATOMIC_ACQUIRE);

	return first ? first : __atomic_load_n(&gmon.blocks.of_threads, __ATOMIC_ACQUIRE);
}

struct count_block *count_block_next(const struct count_block *block)
{
	if (block->next || count_block_is_of_thread(block))
		return block->next;
	return __atomic_load_n(&gmon.blocks.of_threads, __ATOMIC_ACQUIRE);
}

/*
 * Zeroes a block that shares no page with others. Without memory for that, the block keeps its
 * data.
 */
static void count_block_renew_pages(struct count_block *block)
{
	struct count_block head = *block;

	if (sys_mmap(block, head.bytes, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0))
		*block = head;
}

static void count_block_renew_in_pool(const struct count_block *block)
{
	uintptr_t *word = (uintptr_t *)count_block_data(block);

	for (size_t i = 0; i < (block->bytes - GMON_LIVE_BLOCK_HEAD) / sizeof(*word); i++)
		__atomic_store_n(&word[i], 0, __ATOMIC_RELAXED);
}

static void count_block_zero(struct count_block *block)
{
	if (!block->data)
		count_block_renew_in_pool(block);
	else if (!count_block_is_apart(block))
		count_block_renew_pages(block);
	else if (!count_block_can_share() || count_block_attach(block, 0))
		count_block_make_private(block);
}

void count_block_renew(struct count_block *block)
{
	count_block_zero(block);
	count_block_list(block);
}

/*
 * Gives a block to the child, and keeps the first `keep` bytes of its data: in the child's window,
 * or private; without memory for a copy, they are lost.
 */
static void count_block_keep(struct count_block *block, size_t keep)
{
	size_t n = (keep + sizeof(uintptr_t) - 1) / sizeof(uintptr_t);
	uintptr_t *word = (uintptr_t *)count_block_data(block);
	uintptr_t *copy;

	if (!count_block_is_apart(block) ||
	    (live_window_is_there() && !count_block_attach(block, keep)))
		return;
	copy = sys_memory(n * sizeof(*word));
	for (size_t i = 0; copy && i < n; i++)
		if (word[i])
			copy[i] = word[i];
	count_block_make_private(block);
	for (size_t i = 0; copy && i < n; i++)
		if (copy[i])
			word[i] = copy[i];
	if (copy)
		sys_munmap(copy, n * sizeof(*word));
}

void count_block_forked(void)
{
	struct count_block *first = gmon.blocks.newest, *last = first;

	gmon.blocks.newest = gmon.blocks.of_threads = NULL;
	if (!first)
		return;
	if (gmon.blocks.inherited) { /* of this process's parent */
		while (last->next)
			last = last->next;
		last->next = gmon.blocks.inherited;
	}
	gmon.blocks.inherited = first;
}

/* Turns the list of inherited blocks around, so that it has the old ones first. */
static struct count_block *count_block_turn(void)
{
	struct count_block *turned = NULL, *block = gmon.blocks.inherited, *next;

	for (; block; block = next) {
		next = block->next;
		block->next = turned;
		turned = block;
	}
	gmon.blocks.inherited = NULL;
	return turned;
}

void count_block_renew_all(size_t used(enum gmon_live_kind kind))
{
	struct count_block *next;

	for (struct count_block *block = count_block_turn(); block; block = next) {
		const size_t most = block->bytes - block->data;
		size_t keep = used(block->kind);

		next = block->next;
		if (keep) {
			count_block_keep(block, keep < most ? keep : most);
			count_block_list(block);
		} else {
			count_block_renew(block);
		}
	}
}

void count_block_set_apart(void)
{
	gmon.blocks.apart = true;
}

/* Looks again when no signal can come: its handler may have moved the block, and a second copy
 * would count twice. */
void count_block_move_into_file(struct count_block *block, size_t keep)
{
	const size_t most = block->bytes - block->data;
	struct mask mask;

	if (!count_block_is_apart(block) || block->file_offset || !count_block_can_share())
		return;
	mask_all(&mask);
	if (!wide_load(&block->file_offset) && count_block_attach(block, keep < most ? keep : most))
		block->file_offset = UINT64_MAX; /* no second attempt */
	mask_restore(&mask);
}

bool count_block_repair(uintptr_t address)
{
	for (struct count_block *block = count_block_first(); block;
	     block = count_block_next(block)) {
		if (!count_block_is_apart(block) ||
		    address - count_block_data(block) >= block->bytes - block->data)
			continue;
		if (!count_block_make_private(block))
			return false;
		live_file_say_truncated();
		return true;
	}
	return false;
}
