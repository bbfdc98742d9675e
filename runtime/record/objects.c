/* SPDX-License-Identifier: MIT */
/* The list of shared objects. See objects.h. */
#include "record/objects.h"

#include <link.h>
#include <sys/auxv.h>

#include "base/sys.h"
#include "base/text.h"
#include "record/loaded.h"
#include "state.h"

static void objects_set_name(struct objects *objects, struct object *object, const char *path)
{
	struct text text = text_in(object->name, sizeof(object->name) - 8);

	text_add(&text, text_last_part(path));
	for (size_t i = 0; i < objects->n; i++)
		if (text_equal(objects->at[i].name, object->name)) {
			text.room = sizeof(object->name);
			text_add(&text, ".");
			text_add_number(&text, objects->n);
			break;
		}
}

/*
 * Returns the address of a library's initialisation code, which the dynamic section gives as a
 * link-time address.
 */
static uintptr_t objects_find_entry(const struct loaded *loaded)
{
	uintptr_t init;

	return loaded_find_dynamic(loaded, DT_INIT, &init) ? loaded->bias + init : loaded->low;
}

static int objects_add(struct dl_phdr_info *info, size_t size, void *context)
{
	struct objects *objects = context;
	struct object *object = &objects->at[objects->n];
	struct program *range = &object->range;
	struct loaded loaded;

	(void)size;
	objects->unloaded = info->dlpi_subs;
	if (objects->n == MAX_OBJECTS) {
		objects->left_out = true;
		return 0;
	}
	if (!loaded_look(&loaded, info->dlpi_addr, (uintptr_t)info->dlpi_phdr, info->dlpi_phnum))
		return 0;
	range->bias = loaded.bias;
	range->low = loaded.low;
	range->high = loaded.high;
	if (range->low == gmon.program.low || program_has(range, getauxval(AT_SYSINFO_EHDR)))
		return 0;
	range->entry = objects_find_entry(&loaded);
	if (!program_has(range, range->entry))
		range->entry = range->low;
	objects_set_name(objects, object, info->dlpi_name);
	objects->n++;
	return 0;
}

static struct objects *objects_collect(void)
{
	struct objects *objects = sys_memory(sizeof(*objects));

	if (objects)
		dl_iterate_phdr(objects_add, objects);
	return objects;
}

void objects_start(void)
{
	if (gmon.settings.libs_files && !gmon.objects)
		gmon.objects = objects_collect();
}

static bool objects_had(const struct object *object)
{
	for (size_t i = 0; i < gmon.objects->n; i++) {
		const struct program *range = &gmon.objects->at[i].range;

		if (range->bias == object->range.bias && range->low == object->range.low &&
		    range->high == object->range.high &&
		    text_equal(gmon.objects->at[i].name, object->name))
			return true;
	}
	return false;
}

struct objects *objects_list(void)
{
	struct objects *objects = gmon.objects ? objects_collect() : NULL;
	size_t n = 0;

	if (!objects || objects->unloaded == gmon.objects->unloaded)
		return objects;
	for (size_t i = 0; i < objects->n; i++) {
		if (objects_had(&objects->at[i]))
			objects->at[n++] = objects->at[i];
	}
	objects->left_out = true;
	objects->n = n;
	return objects;
}

void objects_free(struct objects *objects)
{
	if (objects)
		sys_munmap(objects, sizeof(*objects));
}
