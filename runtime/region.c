/* SPDX-License-Identifier: MIT */
/* Memory for counts: private, or a file that outlives the process. See region.h. */
#include "region.h"

#include "state.h"
#include "sys.h"
#include "wide.h"

/* Of memory: as small as it can be. GMON_LIVE_PAGE is whole pages on every kernel. */
enum { REGION_PAGE = 4096 };

static uint64_t region_round(uint64_t bytes, uint64_t page)
{
	return (bytes + page - 1) & ~(page - 1);
}

/*
 * The shared file is opened anew for each block: a descriptor kept open would be one that the
 * program can close, or pass on. NULL: use private memory.
 */
static void *region_map_shared(void *at, size_t bytes, uint64_t *offset)
{
	long fd = sys_open(gmon.regions.shared_path, O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0);
	void *memory = NULL;

	if (sys_failed(fd))
		return NULL;
	bytes = region_round(bytes, GMON_LIVE_PAGE);
	*offset = wide_add(&gmon.regions.end, bytes);
	if (sys_reserve((int)fd, *offset, bytes) == 0)
		memory = sys_mmap(at, bytes, PROT_READ | PROT_WRITE,
				  MAP_SHARED | (at ? MAP_FIXED : 0), (int)fd, *offset);
	sys_close((int)fd);
	return memory;
}

static void *region_map_private(void *at, size_t bytes)
{
	return sys_mmap(at, bytes, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0), -1, 0);
}

static void *region_map(void *at, size_t bytes, uint64_t *offset)
{
	void *memory = gmon.regions.shared_path ? region_map_shared(at, bytes, offset) : NULL;

	return memory ? memory : region_map_private(at, bytes);
}

void *region_new(enum gmon_live_kind kind, size_t bytes, uintptr_t word, uintptr_t low)
{
	size_t size = region_round(bytes, REGION_PAGE);
	uint64_t offset = 0;
	struct region *region = size < bytes ? NULL : region_map(NULL, size, &offset);

	if (!region)
		return NULL;
	region->bytes = size;
	region->kind = kind;
	region->word = word;
	region->low = low;
	region->file_offset = offset;
	region->next = __atomic_load_n(&gmon.regions.newest, __ATOMIC_RELAXED);
	__atomic_store_n(&region->ready, GMON_LIVE_READY, __ATOMIC_RELEASE);
	while (!__atomic_compare_exchange_n(&gmon.regions.newest, &region->next, region, false,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	return region;
}

struct region *region_first(void)
{
	return __atomic_load_n(&gmon.regions.newest, __ATOMIC_ACQUIRE);
}

void region_renew_all(void)
{
	for (struct region *region = region_first(); region; region = region_next(region)) {
		struct region head = *region;

		if (!region_map(region, head.bytes, &head.file_offset))
			continue;
		head.ready = 0;
		*region = head;
		__atomic_store_n(&region->ready, GMON_LIVE_READY, __ATOMIC_RELEASE);
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
	done = sys_reserve((int)fd, 0, GMON_LIVE_PAGE);
	if (!sys_failed(done))
		done = sys_write_at((int)fd, head, head_bytes, 0);
	sys_close((int)fd);
	if (sys_failed(done)) {
		sys_unlink(path);
		return done;
	}
	gmon.regions.end = GMON_LIVE_PAGE;
	gmon.regions.shared_path = path;
	return 0;
}

void region_forget(void)
{
	gmon.regions.shared_path = NULL;
}

void region_unshare(void)
{
	if (gmon.regions.shared_path)
		sys_unlink(gmon.regions.shared_path);
	gmon.regions.shared_path = NULL;
}
