/* SPDX-License-Identifier: MIT */
/* Memory for counts: private, or a file that outlives the process. See count_block.h. */
#include "count/count_block.h"

#include <sys/file.h>
#include <sys/stat.h>

#include "base/mask.h"
#include "base/pool.h"
#include "base/sandbox.h"
#include "base/text.h"
#include "base/wide.h"
#include "state.h"

/*
 * Of memory: as small as it can be. GMON_LIVE_PAGE is whole pages on every kernel. Somebody may
 * take a file that has just been made away before it is locked, a few times at most.
 */
enum { COUNT_BLOCK_PAGE = 4096, COUNT_BLOCK_TRIES = 10 };

static uint64_t count_block_round(uint64_t bytes, uint64_t page)
{
	return (bytes + page - 1) & ~(page - 1);
}

static uintptr_t count_block_data(const struct count_block *block)
{
	return (uintptr_t)block + GMON_LIVE_BLOCK_HEAD;
}

/* Whether the data begin a page of their own: they lie, or once lay, in a shared file. */
static bool count_block_is_apart(const struct count_block *block)
{
	return block->data > GMON_LIVE_BLOCK_HEAD;
}

static void count_block_say_lost(const char *what, long error)
{
	if (!__atomic_exchange_n(&gmon.blocks.lost, 1, __ATOMIC_RELAXED))
		text_complain(what, gmon.blocks.shared_name, error);
}

void count_block_say_spoiled(void)
{
	const char *name = gmon.blocks.shared_name;

	if (!__atomic_exchange_n(&gmon.blocks.spoiled, 1, __ATOMIC_RELAXED))
		text_complain(name ? "what cannot be is left out: somebody has written to"
				   : "counts that cannot be are left out",
			      name, 0);
}

/*
 * The shared file is opened anew for each block: a descriptor kept open would be one that the
 * program can close, or pass on. What the name leads to by now may be another file, or hang.
 */
static long count_block_open_shared(void)
{
	struct sys_file now;
	long fd =
		sys_open(gmon.blocks.shared_path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0);
	long done;

	if (sys_failed(fd))
		return fd;
	done = sys_look((int)fd, "", &now);
	if (!done && sys_same_file(&now, &gmon.blocks.shared))
		return fd;
	sys_close((int)fd);
	return done ? done : -ESTALE;
}

static bool count_block_make_private(struct count_block *block)
{
	block->file_offset = 0;
	return sys_mmap((void *)count_block_data(block), block->bytes - block->data,
			PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

/* What the file says of a block. */
struct count_block_told {
	uint64_t bytes;
	uint32_t kind, ready;
	_Alignas(8) uintptr_t word;
	_Alignas(8) uintptr_t low;
	_Alignas(8) uint64_t data;
	uint64_t offset;
};

_Static_assert(offsetof(struct count_block_told, bytes) == GMON_LIVE_AT_BYTES, "see gmon_live.h");
_Static_assert(offsetof(struct count_block_told, kind) == GMON_LIVE_AT_KIND, "see gmon_live.h");
_Static_assert(offsetof(struct count_block_told, ready) == GMON_LIVE_AT_READY, "see gmon_live.h");
_Static_assert(offsetof(struct count_block_told, word) == GMON_LIVE_AT_WORD, "see gmon_live.h");
_Static_assert(offsetof(struct count_block_told, low) == GMON_LIVE_AT_LOW, "see gmon_live.h");
_Static_assert(offsetof(struct count_block_told, data) == GMON_LIVE_AT_DATA, "see gmon_live.h");
_Static_assert(offsetof(struct count_block_told, offset) == GMON_LIVE_AT_OFFSET, "see gmon_live.h");
_Static_assert(sizeof(struct count_block_told) <= GMON_LIVE_BLOCK_HEAD, "see gmon_live.h");

static long count_block_tell(const struct count_block *block, int fd)
{
	const struct count_block_told told = {
		.bytes = block->bytes,
		.kind = block->kind,
		.ready = block->ready,
		.word = block->word,
		.low = block->low,
		.data = block->data,
		.offset = block->file_offset,
	};
	long done = sys_write_at(fd, &told, sizeof(told), block->file_offset);

	return sys_failed(done) ? done : 0;
}

/* Writes the data of a block where they are to be mapped. 0 or -errno. */
static long count_block_copy(const struct count_block *block, int fd, uint64_t offset)
{
	size_t bytes = block->bytes - block->data;
	long n;

	for (size_t at = 0; at < bytes; at += (size_t)n) {
		n = sys_write_at(fd, (const char *)count_block_data(block) + at, bytes - at,
				 offset + block->data + at);
		if (sys_failed(n) || n == 0)
			return n ? n : -EIO;
	}
	return 0;
}

/* Puts the data of a block, its head last, behind the end of the file. 0 or -errno. */
static long count_block_put(struct count_block *block, int fd, bool keep)
{
	uint64_t bytes = count_block_round(block->bytes, GMON_LIVE_PAGE);
	uint64_t offset = wide_add(&gmon.blocks.end, bytes);
	long done = sys_reserve(fd, offset, bytes);

	if (!done && keep)
		done = count_block_copy(block, fd, offset);
	if (done)
		return done;
	if (!sys_mmap((void *)count_block_data(block), block->bytes - block->data,
		      PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, offset + block->data))
		return -ENOMEM;
	block->file_offset = offset;
	return count_block_tell(block, fd);
}

/* As count_block_put(), into the file that it opens. What fails is said. */
static long count_block_attach(struct count_block *block, bool keep)
{
	struct mask mask;
	long fd;
	long done;

	if (sandbox_closed()) {
		gmon.blocks.lost = 1; /* said at the end */
		return -EPERM;
	}
	mask_all(&mask);
	fd = done = count_block_open_shared();
	if (!sys_failed(fd)) {
		done = count_block_put(block, (int)fd, keep);
		sys_close((int)fd);
	}
	mask_restore(&mask);
	if (sys_failed(done))
		count_block_say_lost("GMON=crash: not all counts are in", done);
	return done;
}

static const char *count_block_shared_path(void)
{
	return __atomic_load_n(&gmon.blocks.shared_path, __ATOMIC_ACQUIRE);
}

static void count_block_list(struct count_block *block)
{
	block->next = __atomic_load_n(&gmon.blocks.newest, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&gmon.blocks.newest, &block->next, block, false,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

/* Zeroed memory for a block whose data come behind `before` bytes, its head right before them. */
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

static struct count_block *count_block_in_pool(size_t bytes)
{
	struct count_block *block = pool_take(bytes);

	if (block)
		block->bytes = bytes;
	return block;
}

void *count_block_new(enum gmon_live_kind kind, size_t bytes, uintptr_t word, uintptr_t low)
{
	bool apart = gmon.blocks.apart;
	uint32_t before = apart ? (uint32_t)gmon.blocks.page : GMON_LIVE_BLOCK_HEAD;
	struct count_block *block = !apart && bytes <= POOL_MOST ? count_block_in_pool(bytes)
								 : count_block_pages(bytes, before);

	if (!block)
		return NULL;
	block->kind = kind;
	block->ready = GMON_LIVE_READY;
	block->word = word;
	block->low = low;
	if (apart && count_block_shared_path() && count_block_attach(block, false) &&
	    !count_block_make_private(block))
		return NULL;
	count_block_list(block);
	return block;
}

struct count_block *count_block_first(void)
{
	return __atomic_load_n(&gmon.blocks.newest, __ATOMIC_ACQUIRE);
}

/* A block in pages of its own, all of it. Without memory it stays as it is. */
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
	else if (!count_block_shared_path() || count_block_attach(block, false))
		count_block_make_private(block);
}

void count_block_renew(struct count_block *block)
{
	count_block_zero(block);
	count_block_list(block);
}

/* What is told in a block, and not counted. */
static bool count_block_is_lasting(const struct count_block *block)
{
	return block->kind == GMON_LIVE_MODULES || block->kind == GMON_LIVE_STRINGS;
}

/* Makes a block private with what it holds. Without memory for a copy that is lost. */
static void count_block_keep(struct count_block *block)
{
	size_t n = (block->bytes - block->data) / sizeof(uintptr_t);
	uintptr_t *word = (uintptr_t *)count_block_data(block);
	uintptr_t *copy = count_block_is_apart(block) ? sys_memory(n * sizeof(*word)) : NULL;

	if (!count_block_is_apart(block))
		return;
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

void count_block_renew_all(void)
{
	struct count_block *next;
	struct count_block *block = count_block_first();

	gmon.blocks.newest = NULL;
	for (; block; block = next) {
		next = count_block_next(block);
		if (block->kind == GMON_LIVE_COUNTS || block->kind == GMON_LIVE_SAMPLES)
			continue;
		if (count_block_is_lasting(block)) {
			count_block_keep(block);
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

/* One attempt for each block: what cannot be done is said once. */
void count_block_settle(struct count_block *block)
{
	if (!count_block_is_apart(block) || block->file_offset || !count_block_shared_path())
		return;
	if (count_block_attach(block, true))
		block->file_offset = UINT64_MAX;
}

/* The kind of file that this is one of, of this user, and readable: -EEXIST if not. */
static long count_block_check_stale(int fd, struct sys_file *file)
{
	static const char magic[] = GMON_LIVE_MAGIC;
	char start[sizeof(magic) - 1];
	long done = sys_look(fd, "", file);

	if (done)
		return done;
	if (!S_ISREG(file->mode) || file->owner != sys_user())
		return -EEXIST;
	if (file->bytes == 0) /* killed, or cut */
		return 0;
	if (SYS3(SYS_read, fd, start, sizeof(start)) != sizeof(start))
		return -EEXIST;
	for (size_t i = 0; i < sizeof(start); i++)
		if (start[i] != magic[i])
			return -EEXIST;
	return 0;
}

/*
 * A lock belongs to the file as it was opened, which lives on in its mappings: when these are gone,
 * however the process ended, so is the lock. 0, or -EBUSY; where there are no locks, 0.
 */
static long count_block_lock(int fd)
{
	return SYS2(SYS_flock, fd, LOCK_EX | LOCK_NB) == -EWOULDBLOCK ? -EBUSY : 0;
}

/* Whether a name is still that of a file. */
static bool count_block_has_name(const struct sys_file *file, const char *path)
{
	struct sys_file now;

	return sys_look(-1, path, &now) == 0 && sys_same_file(&now, file);
}

/* The name is free if a dead process has left its file there. 0, or -errno as count_block_share().
 */
static long count_block_remove_stale(const char *path)
{
	struct sys_file file;
	long fd = sys_open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0);
	long done;

	if (sys_failed(fd))
		return fd == -ENOENT ? 0 : -EEXIST;
	done = count_block_check_stale((int)fd, &file);
	if (!done)
		done = count_block_lock((int)fd);
	if (!done && count_block_has_name(&file, path))
		done = sys_unlink(path);
	sys_close((int)fd);
	return done;
}

/* A new file that is locked and has the name; its descriptor, or -errno as count_block_share(). */
static long count_block_create(const char *path)
{
	for (int i = 0; i < COUNT_BLOCK_TRIES; i++) {
		long done;
		long fd = sys_open(path, O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0666);

		if (sys_failed(fd)) {
			done = fd == -EEXIST ? count_block_remove_stale(path) : fd;
			if (done)
				return done;
			continue;
		}
		done = count_block_lock((int)fd);
		if (!done)
			done = sys_look((int)fd, "", &gmon.blocks.shared);
		if (!done && count_block_has_name(&gmon.blocks.shared, path))
			return fd;
		sys_close((int)fd);
		if (done) {
			/* Whoever has the lock has taken it for a dead one's and removes it. */
			if (done != -EBUSY)
				sys_unlink(path);
			return done;
		}
	}
	return -EBUSY;
}

static long count_block_begin(int fd, const void *head, size_t head_bytes)
{
	long done = sys_reserve(fd, 0, GMON_LIVE_PAGE);

	if (!sys_failed(done))
		done = sys_write_at(fd, head, head_bytes, 0);
	if (sys_failed(done))
		return done;
	gmon.blocks.pin = sys_mmap(NULL, COUNT_BLOCK_PAGE, PROT_READ, MAP_SHARED, fd, 0);
	return gmon.blocks.pin ? 0 : -ENOMEM;
}

long count_block_share(const char *path, const char *name, const void *head, size_t head_bytes)
{
	struct mask mask;
	long fd;
	long done;

	mask_all(&mask);
	fd = done = count_block_create(path);
	if (!sys_failed(fd)) {
		done = count_block_begin((int)fd, head, head_bytes);
		sys_close((int)fd);
		if (done)
			sys_unlink(path);
	}
	mask_restore(&mask);
	if (sys_failed(done))
		return done;
	gmon.blocks.end = GMON_LIVE_PAGE;
	gmon.blocks.lost = 0;
	gmon.blocks.shared_name = name;
	__atomic_store_n(&gmon.blocks.shared_path, path, __ATOMIC_RELEASE);
	return 0;
}

void count_block_forget(void)
{
	gmon.blocks.shared_path = NULL;
	if (gmon.blocks.pin)
		sys_munmap(gmon.blocks.pin, COUNT_BLOCK_PAGE);
	gmon.blocks.pin = NULL;
}

void count_block_unshare(void)
{
	const char *path = gmon.blocks.shared_path;

	if (path && !sandbox_was_closed() && count_block_has_name(&gmon.blocks.shared, path))
		sys_unlink(path);
	count_block_forget();
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
		count_block_say_lost("GMON=crash: counts are lost: somebody has cut", 0);
		return true;
	}
	return false;
}
