/* SPDX-License-Identifier: MIT */
/* The list of shared objects. See objects.h. */
#include "record/objects.h"

#include <link.h>
#include <sys/auxv.h>

#include "base/dynamic.h"
#include "base/sys.h"
#include "base/text.h"
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

/* Where a library's own start-up code is: the table has link-time addresses there. */
static uintptr_t objects_find_entry(const struct dl_phdr_info *info, const struct program *place)
{
	const ElfW(Dyn) *init = dynamic_find(info, DT_INIT);

	return init ? info->dlpi_addr + init->d_un.d_ptr : place->low;
}

static int objects_add(struct dl_phdr_info *info, size_t size, void *context)
{
	struct objects *objects = context;
	struct object *object = &objects->at[objects->n];
	struct program *place = &object->place;

	(void)size;
	objects->unloaded = info->dlpi_subs;
	if (objects->n == MAX_OBJECTS) {
		objects->left_out = true;
		return 0;
	}
	place->bias = info->dlpi_addr;
	if (!program_segments(place, info->dlpi_phdr, info->dlpi_phnum))
		return 0;
	if (place->low == gmon.program.low || program_has(place, getauxval(AT_SYSINFO_EHDR)))
		return 0;
	place->entry = objects_find_entry(info, place);
	if (!program_has(place, place->entry))
		place->entry = place->low;
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
		const struct program *place = &gmon.objects->at[i].place;

		if (place->bias == object->place.bias && place->low == object->place.low &&
		    place->high == object->place.high &&
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
