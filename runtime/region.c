/* SPDX-License-Identifier: MIT */
/* Memory for counts: private, or a file that outlives the process. See region.h. */
#include "region.h"

#include "sys.h"
#include "wide.h"

/* Offsets in a mapped file are whole pages on every kernel; memory's may be as small as 4096. */
enum { PAGE = 4096, FILE_PAGE = 65536 };

/* Each field has one writer: the thread that starts or forks; newest and end are atomic. */
static struct {
	struct region *newest;
	const char *shared_path;  /* NULL: private memory */
	_Alignas(8) uint64_t end; /* of the shared file */
} regions;

static uint64_t whole(uint64_t bytes, uint64_t page)
{
	return (bytes + page - 1) & ~(page - 1);
}

/*
 * The shared file is opened anew for each block: a descriptor kept open would be one that the
 * program can close, or pass on. NULL: use private memory.
 */
static void *map_shared(void *at, size_t bytes, uint64_t *offset)
{
	long fd = sys_open(regions.shared_path, O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0);
	void *memory = NULL;

	if (sys_failed(fd))
		return NULL;
	bytes = whole(bytes, FILE_PAGE);
	*offset = wide_add(&regions.end, bytes);
	if (sys_reserve((int)fd, *offset, bytes) == 0)
		memory = sys_mmap(at, bytes, PROT_READ | PROT_WRITE,
				  MAP_SHARED | (at ? MAP_FIXED : 0), (int)fd, *offset);
	sys_close((int)fd);
	return memory;
}

static void *map_private(void *at, size_t bytes)
{
	return sys_mmap(at, bytes, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0), -1, 0);
}

static void *map(void *at, size_t bytes, uint64_t *offset)
{
	void *memory = regions.shared_path ? map_shared(at, bytes, offset) : NULL;

	return memory ? memory : map_private(at, bytes);
}

void *region_new(enum region_kind kind, size_t bytes, uintptr_t word)
{
	size_t size = whole(bytes, PAGE);
	uint64_t offset = 0;
	struct region *region = size < bytes ? NULL : map(NULL, size, &offset);

	if (!region)
		return NULL;
	region->bytes = size;
	region->kind = kind;
	region->word = word;
	region->file_offset = offset;
	region->next = __atomic_load_n(&regions.newest, __ATOMIC_RELAXED);
	__atomic_store_n(&region->ready, 1, __ATOMIC_RELEASE);
	while (!__atomic_compare_exchange_n(&regions.newest, &region->next, region, false,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	return region;
}

struct region *region_first(void)
{
	return __atomic_load_n(&regions.newest, __ATOMIC_ACQUIRE);
}

void region_renew_all(void)
{
	for (struct region *region = region_first(); region; region = region_next(region)) {
		struct region head = *region;

		if (!map(region, head.bytes, &head.file_offset))
			continue;
		head.ready = 0;
		*region = head;
		__atomic_store_n(&region->ready, 1, __ATOMIC_RELEASE);
	}
}

long region_share(const char *path, const void *head, size_t head_bytes)
{
	long fd;
	long done;

	sys_unlink(path);
	fd = sys_open(path, O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (sys_failed(fd))
		return fd;
	done = sys_reserve((int)fd, 0, FILE_PAGE);
	if (!sys_failed(done))
		done = sys_write((int)fd, head, head_bytes);
	sys_close((int)fd);
	if (sys_failed(done)) {
		sys_unlink(path);
		return done;
	}
	regions.end = FILE_PAGE;
	regions.shared_path = path;
	return 0;
}

void region_forget(void)
{
	regions.shared_path = NULL;
}

void region_unshare(void)
{
	if (regions.shared_path)
		sys_unlink(regions.shared_path);
	regions.shared_path = NULL;
}
