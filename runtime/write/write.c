/* SPDX-License-Identifier: MIT */
/* Which files are written, under which names, and by which thread. See write.h. */
#include "write/write.h"

#include "base/mask.h"
#include "base/profile_name.h"
#include "base/sandbox.h"
#include "base/sys.h"
#include "base/text.h"
#include "record/objects.h"
#include "sample/bins.h"
#include "state.h"
#include "wait/offcpu_helper.h"
#include "write/encode.h"
#include "write/ext.h"
#include "write/file.h"
#include "write/merge.h"

/* How long to wait for another thread's write: 10 s, in steps of 1 ms. */
enum { TURN_NS = 1000000, TURNS = 10000 };

/*
 * Writes the profile of a source under gmon.write.path. `named`: the name was not too long. Returns
 * 0, or -errno after a line on stderr.
 */
static long write_file(const struct encode_source *source, bool named, file_written *written)
{
	long error = -ENAMETOOLONG;

	gmon.write.file.hasty = gmon.settings.run;
	if (named)
		error = file_replace_stamped(&gmon.write.file, gmon.write.path, encode_profile,
					     written, source);
	if (error)
		text_complain("cannot write", gmon.write.path, error);
	return error;
}

/* Called when the profile is complete but, unless it was written in place, has no name yet. */
static void write_stacks(const void *source, uint64_t stamp)
{
	(void)source;
	ext_write(gmon.write.path, stamp);
}

/* Writes like write_file(), together with the stacks. Stacks of an older profile are removed. */
static long write_both(const struct encode_source *source, bool named)
{
	long error;

	gmon.write.ext = EXT_MISSING;
	error = write_file(source, named, ext_wanted() ? write_stacks : NULL);
	if (error)
		ext_drop(gmon.write.path);
	else
		ext_publish(gmon.write.path);
	return error;
}

/* Sets gmon.write.path. False: the name is too long. */
static bool write_set_name(bool fallback)
{
	return profile_name_make(&gmon.settings, gmon.write.path, gmon.pid, gmon.forked, fallback);
}

/* Appends a dot and `name` to gmon.write.path. Returns false if that is too long. */
static bool write_add_name(const char *name)
{
	struct text text = text_after(gmon.write.path, sizeof(gmon.write.path));

	text_add(&text, ".");
	text_add(&text, name);
	return !text.full;
}

/*
 * With GMON=dir=start, after chroot(): uses the current directory, as only that can still be
 * reached.
 */
static void write_give_up_directory(void)
{
	if (!profile_name_lost_directory(&gmon.settings))
		return;
	text_complain("GMON=dir=start: writes to the current directory, as chroot() has hidden",
		      gmon.settings.directory, 0);
	gmon.settings.start_directory = false;
}

static long write_program(void)
{
	const struct encode_source source = encode_time(&gmon.program, gmon.bins);
	long error;

	write_give_up_directory();
	error = write_both(&source, write_set_name(false));
	if (error && gmon.settings.has_prefix && !gmon.settings.file[0])
		error = write_both(&source, write_set_name(true));
	return error;
}

/* Writes samples of GMON=event, after the profile; with GMON=run they are in the file of stacks. */
static void write_event(void)
{
	const struct encode_source source = { &gmon.program, gmon.event.bins, gmon.event.dimension,
					      UINT32_MAX };

	if (gmon.settings.event && !gmon.settings.run)
		write_file(&source, write_add_name(gmon.settings.event->name), NULL);
}

/*
 * Makes the calling thread the owner of gmon.write and blocks signals. Waits a while for another
 * thread's write; with `last`, continues even if that has not ended. Returns false if the same
 * thread is writing already, or if the other thread did not end in time.
 */
static bool write_begin(struct mask *mask, bool last)
{
	/*
	 * In a sandbox, asking for the thread's number may kill; the process's number is taken for
	 * all threads.
	 */
	const int32_t tid = sandbox_closed() ? gmon.pid : sys_gettid();
	const long pause[2] = { 0, TURN_NS };
	bool owner = false;

	for (int turn = 0; !owner && turn < TURNS; turn++) {
		int32_t other = 0;

		owner = __atomic_compare_exchange_n(&gmon.write.owner, &other, tid, false,
						    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
		if (other == tid) /* this signal handler interrupts a write */
			break;
		if (!owner)
			SYS2(SYS_nanosleep, pause, NULL);
	}
	if (!owner && !last)
		return false;
	mask_all(mask);
	return true;
}

static void write_end(const struct mask *mask)
{
	mask_restore(mask);
	__atomic_store_n(&gmon.write.owner, 0, __ATOMIC_RELEASE);
}

long write_profile(bool last)
{
	struct mask mask;
	long done;

	offcpu_helper_flush(false);
	if (!write_begin(&mask, last))
		return -EBUSY;
	done = write_program();
	if (!done)
		write_event();
	write_end(&mask);
	return done;
}

size_t write_copy(void *bytes, size_t room)
{
	const struct encode_source source = encode_time(&gmon.program, gmon.bins);
	struct mask mask;
	size_t n;

	if (!write_begin(&mask, false))
		return 0;
	n = file_copy(&gmon.write.file, bytes, room, encode_profile, &source);
	write_end(&mask);
	return n;
}

struct write_bytes {
	const void *at;
	size_t n;
};

static void write_sum_bytes(struct file_writer *file, const void *what)
{
	const struct write_bytes *bytes = what;

	file_put(file, bytes->at, bytes->n);
}

long write_sum(const void *bytes, size_t n)
{
	const struct write_bytes all = { bytes, n };
	struct mask mask;
	long error = -ENAMETOOLONG;

	if (!write_begin(&mask, false))
		return -EBUSY;
	write_give_up_directory();
	gmon.write.file.hasty = false;
	if (profile_name_make_sum(&gmon.settings, gmon.write.path))
		error = file_replace(&gmon.write.file, gmon.write.path, write_sum_bytes, &all);
	if (error)
		text_complain("cannot write", gmon.write.path, error);
	else
		ext_remove(gmon.write.path);
	write_end(&mask);
	return error;
}

/* What was recorded in an object. */
struct write_finding {
	const struct program *object;
	struct bins *bins; /* its samples; NULL: no memory, or nothing was recorded */
	bool any;          /* there are calls or samples, so that the object gets a file */
};

static void write_find(void *context, uintptr_t from, uintptr_t self, uint64_t count)
{
	struct write_finding *found = context;

	if (!found->any)
		found->bins = bins_private(found->object->low, found->object->high);
	found->any = true;
	if (self == CELL_OUTSIDE_TICKS && found->bins)
		bins_add(found->bins, from + found->object->bias, (uint32_t)count);
}

static void write_object(const struct object *object)
{
	struct write_finding found = { .object = &object->range };
	struct encode_source source;
	bool named = write_set_name(false);

	merge_each_unsummed(&object->range, write_find, &found);
	if (!found.any)
		return;
	named = named && write_add_name(object->name);
	source = encode_time(&object->range, found.bins);
	write_file(&source, named, NULL);
	bins_free(found.bins);
}

void write_objects(void)
{
	struct objects *objects = objects_list();
	struct mask mask;

	if (!objects)
		return;
	if (write_begin(&mask, true)) {
		for (size_t i = 0; i < objects->n; i++)
			write_object(&objects->at[i]);
		write_end(&mask);
	}
	if (objects->left_out)
		text_complain(
			"GMON=libs: some objects were closed: those that were opened after the "
			"start are left out",
			NULL, 0);
	objects_free(objects);
}

void write_forked(void)
{
	gmon.write.owner = 0;
}
