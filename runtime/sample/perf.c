/* SPDX-License-Identifier: MIT */
/*
 * Counters of the kernel. See perf.h. perf_event_open(2) has the format of their records: they are
 * written backward, so the newest is at data_head, and overwrite old ones.
 */
#include "sample/perf.h"

#include <linux/perf_event.h>
#include <stddef.h>

#include "base/sandbox.h"
#include "base/sys.h"
#include "base/wide.h"
#include "state.h"

/* Real-time signals are queued; if the queue is full, the kernel sends SIGIO, which kills. */
enum { FIRST_REAL_TIME = 32 };

/*
 * LEAVES: another thread has asked the counter's thread to close it; CLOSED: that thread is closing
 * it. RESTARTS: it stays open, but what it counted while it was to be closed is skipped.
 */
enum perf_state { PERF_RUNS, PERF_LEAVES, PERF_CLOSED, PERF_RESTARTS };

/* Returns the size of the mapping: the kernel's page of control data, and one page of records. */
static size_t perf_bytes(void)
{
	return 2 * (size_t)gmon.blocks.page;
}

/* The kernel's struct f_owner_ex, which not every C library has. */
struct perf_owner {
	int type;
	int32_t tid;
};

static long perf_event(const struct perf_request *request, int32_t tid)
{
	struct perf_event_attr what;

	if (sandbox_forbids_looking())
		return -EPERM;
	/* No initializer: some compilers call memset for it. */
	for (size_t i = 0; i < sizeof(what); i++)
		((volatile unsigned char *)&what)[i] = 0;
	what.size = PERF_ATTR_SIZE_VER5;
	what.type = request->type;
	what.config = request->config;
	what.sample_period = request->period;
	what.sample_type = PERF_SAMPLE_READ;
	what.disabled = 1;
	what.exclude_kernel = 1;
	what.exclude_hv = 1;
	what.write_backward = 1;
	return SYS6(SYS_perf_event_open, &what, tid, -1, -1, PERF_FLAG_FD_CLOEXEC, 0);
}

/* Directs the counter's signal to the thread. Returns 0 or -errno. */
static long perf_direct(int fd, int32_t tid, int signal)
{
	enum { SET_OWNER = 15, OWNER_TID = 0, SET_SIGNAL = 10 };
	struct perf_owner owner = { OWNER_TID, tid };
	long error = SYS3(SYS_fcntl, fd, SET_OWNER, &owner);

	if (!error)
		error = SYS3(SYS_fcntl, fd, SET_SIGNAL, signal);
	if (!error)
		error = SYS3(SYS_fcntl, fd, F_SETFL, O_RDWR | O_ASYNC);
	return error;
}

/* Whether there is a counter that can continue; one that was to be closed is restarted. */
static bool perf_goes_on(struct perf *perf)
{
	uint32_t state = PERF_LEAVES;

	if (!__atomic_load_n(&perf->map, __ATOMIC_ACQUIRE))
		return false;
	return __atomic_compare_exchange_n(&perf->state, &state, PERF_RESTARTS, false,
					   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ||
	       state != PERF_CLOSED;
}

/* Opens a counter like perf_open(); unless it `runs`, nothing is counted, and no signal comes. */
static long perf_make(struct perf *perf, const struct perf_request *request, int32_t tid,
		      int signal, bool runs)
{
	void *map;
	long error;
	int fd;

	if (perf_goes_on(perf))
		return 0;
	if (signal >= FIRST_REAL_TIME)
		return -EINVAL;
	fd = (int)perf_event(request, tid);
	if (fd < 0)
		return fd;
	error = perf_direct(fd, tid, signal);
	map = error ? NULL : sys_mmap(NULL, perf_bytes(), PROT_READ, MAP_SHARED, fd, 0);
	if (!error && !map)
		error = -EPERM; /* above the kernel's limit perf_event_mlock_kb */
	if (map) {
		perf->fd = fd;
		wide_store(&perf->seen, 0);
		__atomic_store_n(&perf->state, PERF_RUNS, __ATOMIC_RELEASE);
		__atomic_store_n(&perf->map, map, __ATOMIC_RELEASE);
		if (runs)
			SYS3(SYS_ioctl, fd, PERF_EVENT_IOC_ENABLE, 0);
	}
	sys_close(fd);
	return error;
}

long perf_open(struct perf *perf, const struct perf_request *request, int32_t tid, int signal)
{
	return perf_make(perf, request, tid, signal, true);
}

long perf_try(const struct perf_request *request, int signal)
{
	struct perf perf;
	long error;

	perf_forget(&perf);
	error = perf_make(&perf, request, sys_gettid(), signal, false);
	perf_close(&perf);
	return error;
}

void perf_close(struct perf *perf)
{
	void *map = __atomic_exchange_n(&perf->map, NULL, __ATOMIC_ACQ_REL);

	if (map)
		sys_munmap(map, perf_bytes());
}

void perf_leave(struct perf *perf)
{
	uint32_t runs = PERF_RUNS;

	__atomic_compare_exchange_n(&perf->state, &runs, PERF_LEAVES, false, __ATOMIC_ACQ_REL,
				    __ATOMIC_RELAXED);
}

void perf_forget(struct perf *perf)
{
	perf->map = NULL;
	perf->fd = -1;
	perf->state = PERF_RUNS;
	perf->seen = 0;
}

bool perf_sent(const struct perf *perf, const siginfo_t *info)
{
	return info->si_code == POLL_IN && info->si_fd == perf->fd &&
	       __atomic_load_n(&perf->map, __ATOMIC_ACQUIRE);
}

/*
 * Returns the counter's value in the newest record of a sample; `otherwise` if there is none.
 * Records of other types, about pauses of the kernel, are skipped.
 */
static uint64_t perf_newest_record(const void *map, uint64_t otherwise)
{
	const struct perf_event_mmap_page *page = map;
	const size_t bytes = (size_t)gmon.blocks.page;
	const unsigned char *records = (const unsigned char *)map + bytes;
	uint64_t head = wide_load((const uint64_t *)(const void *)&page->data_head);
	size_t passed = 0;

	while (head && passed < bytes) {
		const struct perf_event_header *record = (const void *)(records + head % bytes);
		uint64_t value;

		/* Records of the requested type never wrap around. */
		if (head % bytes + sizeof(*record) + sizeof(value) > bytes)
			break;
		if (record->type == PERF_RECORD_SAMPLE) {
			__builtin_memcpy(&value, record + 1, sizeof(value));
			return value;
		}
		if (!record->size)
			break;
		head += record->size;
		passed += record->size;
	}
	return otherwise;
}

/*
 * In the counter's thread: closes a counter in state LEAVES. Returns false if it is in another
 * state. A thread that runs again only when there is a filter of system calls lets the counter go
 * on, whose signals find nothing to do then: munmap() may kill.
 */
static bool perf_left(struct perf *perf, void *map)
{
	uint32_t leaves = PERF_LEAVES;

	if (!__atomic_compare_exchange_n(&perf->state, &leaves, PERF_CLOSED, false,
					 __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		return false;
	/* Another thread may have opened a new one already. */
	__atomic_compare_exchange_n(&perf->map, &map, NULL, false, __ATOMIC_ACQ_REL,
				    __ATOMIC_RELAXED);
	if (!sandbox_was_closed())
		sys_munmap(map, perf_bytes());
	return true;
}

uint64_t perf_newest(const struct perf *perf)
{
	const void *map = __atomic_load_n(&perf->map, __ATOMIC_ACQUIRE);

	return map ? perf_newest_record(map, perf->seen) : perf->seen;
}

struct perf_span perf_take(struct perf *perf)
{
	void *map = __atomic_load_n(&perf->map, __ATOMIC_ACQUIRE);
	struct perf_span span = { perf->seen, perf->seen };

	if (!map || perf_left(perf, map))
		return span;
	span.to = perf_newest_record(map, span.from);
	if (__atomic_load_n(&perf->state, __ATOMIC_ACQUIRE) == PERF_RESTARTS) {
		span.from = span.to;
		perf->state = PERF_RUNS;
	}
	wide_store(&perf->seen, span.to);
	return span;
}
