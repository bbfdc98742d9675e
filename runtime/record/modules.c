/* SPDX-License-Identifier: MIT */
/* Records of objects. See modules.h. */
#include "record/modules.h"

#include <link.h>
#include <sys/auxv.h>

#include "base/readable.h"
#include "base/sys.h"
#include "base/text.h"
#include "count/count_block.h"
#include "record/identity.h"
#include "record/loaded.h"
#include "record/strings.h"
#include "state.h"
#include "unwind/find_object.h"

/* Private data on a module; its record in the shared file may be damaged. */
struct module_known {
	struct loaded loaded;
	struct identity identity;
	uint32_t ready; /* 1: the other members and the record are set */
	uint32_t same;  /* 1 + the number of an earlier record of the same object; or 0 */
};

struct modules_block {
	struct count_block head; /* word: how many records there is room for */
	_Alignas(64) struct gmon_ext_module module[MODULES_ROOM];
};

bool modules_can_find(void)
{
	return find_object;
}

uint32_t modules_number(void)
{
	uint32_t used = __atomic_load_n(&gmon.modules.used, __ATOMIC_ACQUIRE);

	return used < MODULES_ROOM ? used : MODULES_ROOM;
}

static bool modules_has(const struct module_known *known, uintptr_t address)
{
	return address - known->loaded.low < known->loaded.high - known->loaded.low;
}

/* Appends an object's path, made from `name`, the loader's name of the object. */
static void modules_add_path(struct text *path, uintptr_t name)
{
	char first = '/';

	if (!readable_copy(&first, name, 1) || !first)
		return;
	if (first != '/' && !sys_failed(SYS2(SYS_getcwd, path->at, path->room))) {
		*path = text_after(path->at, path->room);
		text_add(path, "/");
	}
	readable_string(path, name);
}

static void modules_add_own_path(struct text *path)
{
	long n = SYS4(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", path->at, path->room - 1);

	if (n <= 0)
		return;
	path->at[n] = '\0';
	*path = text_after(path->at, path->room);
}

/* Fills in the record of a new module, then publishes it. */
static void modules_write(uint32_t number)
{
	struct module_known *known = &gmon.modules.known[number];
	struct gmon_ext_module *module = &gmon.modules.block->module[number];
	uintptr_t vdso = gmon.modules.vdso;
	char *room = sys_memory(PATH_BYTES);

	module->low = known->loaded.low;
	module->high = known->loaded.high;
	module->bias = known->loaded.bias;
	if (known->loaded.build_id &&
	    readable_copy(module->build_id, known->loaded.build_id, known->loaded.build_id_bytes))
		module->build_id_bytes = (uint8_t)known->loaded.build_id_bytes;
	if (room) {
		struct text path = text_in(room, PATH_BYTES);

		if (number == 0) {
			module->flags = GMON_EXT_PROGRAM;
			modules_add_own_path(&path);
		} else if (vdso && modules_has(known, vdso)) {
			module->flags = GMON_EXT_VDSO;
			text_add(&path, "[vdso]");
		} else {
			if (modules_has(known, (uintptr_t)modules_write))
				module->flags = GMON_EXT_RECORDER;
			modules_add_path(&path, known->identity.name);
		}
		module->path = strings_add(room);
		module->bytes = sys_file_bytes(room);
		sys_munmap(room, PATH_BYTES);
	}
	__atomic_store_n(&known->ready, 1, __ATOMIC_RELEASE);
}

/* Adds an object that has code, without its record. Only one thread may call this at a time. */
static void modules_note(uintptr_t bias, uintptr_t headers, size_t nheaders, uintptr_t name)
{
	uint32_t number = gmon.modules.used;
	struct module_known *known = &gmon.modules.known[number];

	if (number == MODULES_ROOM || !loaded_look(&known->loaded, bias, headers, nheaders))
		return;
	for (uint32_t i = 0; i < number; i++)
		if (modules_has(&gmon.modules.known[i], known->loaded.low))
			return;
	known->identity.name = name;
	gmon.modules.used++;
}

/*
 * Adds an object. `end` is not NULL at the end of the recording: then its record is made, too,
 * unless something was unloaded.
 */
static int modules_note_each(struct dl_phdr_info *info, size_t size, void *end)
{
	uint32_t before = gmon.modules.used;

	(void)size;
	if (end && info->dlpi_subs != gmon.modules.unloaded)
		return 1;
	gmon.modules.unloaded = info->dlpi_subs;
	modules_note(info->dlpi_addr, (uintptr_t)info->dlpi_phdr, info->dlpi_phnum,
		     (uintptr_t)info->dlpi_name);
	if (end && gmon.modules.used > before)
		modules_write(before);
	return 0;
}

void modules_prepare(void)
{
	uintptr_t vdso = getauxval(AT_SYSINFO_EHDR);
	ElfW(Ehdr) file;

	gmon.modules.known =
		sys_memory(MODULES_ROOM * (sizeof(gmon.modules.known[0]) + sizeof(uint16_t)));
	if (!gmon.modules.known)
		return;
	gmon.modules.vdso = vdso;
	gmon.modules.order = (void *)(gmon.modules.known + MODULES_ROOM);
	modules_note(gmon.program.bias, getauxval(AT_PHDR), getauxval(AT_PHNUM), 0);
	dl_iterate_phdr(modules_note_each, NULL);
	if (vdso && readable_copy(&file, vdso, sizeof(file)))
		modules_note(vdso, vdso + file.e_phoff, file.e_phnum, 0);
	gmon.modules.nstaying = gmon.modules.used;
}

bool modules_start(void)
{
	uint16_t *order = gmon.modules.order;

	if (gmon.modules.known)
		gmon.modules.block =
			count_block_new(GMON_LIVE_MODULES, sizeof(struct modules_block),
					MODULES_ROOM, gmon.settings.libs);
	if (!gmon.modules.block)
		return false;
	gmon.modules.several_name = strings_add("[unloaded]");
	for (uint32_t i = 0; i < gmon.modules.nstaying; i++) {
		struct module_known *known = gmon.modules.known;
		struct identity_found found;
		uint32_t at = i;

		if (identity_ask(&found, known[i].loaded.low))
			identity_take(&known[i].identity, &known[i].loaded, &found);
		modules_write(i);
		for (; at > 0 && known[order[at - 1]].loaded.low > known[i].loaded.low; at--)
			order[at] = order[at - 1];
		order[at] = (uint16_t)i;
	}
	return true;
}

bool modules_on(void)
{
	return gmon.modules.block;
}

/* Finds a module among those that were loaded at the start. */
static uint32_t modules_staying_at(uintptr_t address)
{
	const struct module_known *known = gmon.modules.known;
	uint32_t low = 0;
	uint32_t high = gmon.modules.nstaying;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (known[gmon.modules.order[middle]].loaded.low <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || !modules_has(&known[gmon.modules.order[low - 1]], address))
		return GMON_EXT_NONE;
	return gmon.modules.order[low - 1];
}

/* Takes the number of a new module. */
static uint32_t modules_take(void)
{
	uint32_t used = __atomic_load_n(&gmon.modules.used, __ATOMIC_RELAXED);

	do
		if (used == MODULES_ROOM)
			return GMON_EXT_NONE;
	while (!__atomic_compare_exchange_n(&gmon.modules.used, &used, used + 1, false,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	return used;
}

/*
 * Adds the object that was found. Threads that do so at the same moment may each make a record of
 * it.
 */
static uint32_t modules_add(const struct identity_found *found, uintptr_t address)
{
	struct module_known known, *to; /* not assigned as a whole: that may call memcpy() */
	uint32_t number;

	if (!loaded_look_at(&known.loaded, found->record.bias, found->start) ||
	    !modules_has(&known, address) || !identity_take(&known.identity, &known.loaded, found))
		return GMON_EXT_NONE;
	number = modules_take();
	if (number == GMON_EXT_NONE)
		return number;
	to = &gmon.modules.known[number];
	to->ready = to->same = 0;
	to->loaded = known.loaded;
	to->identity = known.identity;
	modules_write(number);
	return number;
}

/* Finds a module among those loaded after the start, or adds it. */
static uint32_t modules_later_at(uintptr_t address)
{
	struct identity_found found;

	if (!identity_ask(&found, address))
		return GMON_EXT_NONE;
	for (uint32_t i = modules_number(); i-- > gmon.modules.nstaying;) {
		const struct module_known *known = &gmon.modules.known[i];

		if (__atomic_load_n(&known->ready, __ATOMIC_ACQUIRE) &&
		    identity_is(&known->identity, &known->loaded, &found))
			return modules_has(known, address) ? i : GMON_EXT_NONE;
	}
	return modules_add(&found, address);
}

uint32_t modules_at(uintptr_t address, struct modules_recent *recent)
{
	uint32_t number;

	if (address - recent->low < recent->high - recent->low)
		return recent->module;
	number = modules_staying_at(address);
	if (number == GMON_EXT_NONE && modules_can_find())
		number = modules_later_at(address);
	if (number != GMON_EXT_NONE) {
		const struct loaded *loaded = &gmon.modules.known[number].loaded;

		*recent = (struct modules_recent){ loaded->low, loaded->high, number };
	}
	return number;
}

uint32_t modules_meet(uintptr_t address)
{
	struct modules_recent recent = { 0, 0, GMON_EXT_NONE };

	return modules_at(address, &recent);
}

bool modules_stay(uint32_t module)
{
	return module < gmon.modules.nstaying;
}

void modules_copy(uint32_t module, struct gmon_ext_module *copy)
{
	const struct gmon_ext_module *record = &gmon.modules.block->module[module];
	const struct loaded *loaded = &gmon.modules.known[module].loaded;

	for (size_t i = 0; i < sizeof(*copy); i++)
		((char *)copy)[i] = 0;
	copy->low = loaded->low;
	copy->high = loaded->high;
	copy->bias = loaded->bias;
	copy->bytes = record->bytes;
	copy->path = record->path;
	copy->flags = record->flags &
		      (GMON_EXT_PROGRAM | GMON_EXT_VDSO | GMON_EXT_UNLOADED | GMON_EXT_RECORDER);
	if (record->build_id_bytes != loaded->build_id_bytes)
		return;
	copy->build_id_bytes = record->build_id_bytes;
	for (uint32_t i = 0; i < loaded->build_id_bytes; i++)
		copy->build_id[i] = record->build_id[i];
}

uintptr_t modules_bias(uint32_t module)
{
	return gmon.modules.known[module].loaded.bias;
}

uint32_t modules_same(uint32_t module)
{
	uint32_t same = gmon.modules.known[module].same;

	return same ? same - 1 : module;
}

bool modules_covers(uint32_t module, uintptr_t address)
{
	return modules_has(&gmon.modules.known[module], address);
}

/* Whether two objects share addresses. */
static bool modules_overlap(const struct loaded *a, const struct loaded *b)
{
	return a->low < b->high && b->low < a->high;
}

/*
 * Marks earlier modules at the addresses of a later one as unloaded, and finds what modules_same()
 * returns.
 */
static void modules_check_before(uint32_t later)
{
	struct module_known *known = gmon.modules.known;
	struct gmon_ext_module *module = gmon.modules.block->module;

	for (uint32_t i = 0; i < later; i++) {
		if (!__atomic_load_n(&known[i].ready, __ATOMIC_ACQUIRE) ||
		    !modules_overlap(&known[i].loaded, &known[later].loaded))
			continue;
		if (identity_equal(&known[i].identity, &known[later].identity)) {
			known[later].same = modules_same(i) + 1;
			module[later].flags |= GMON_EXT_UNLOADED;
			return;
		}
		if (!(module[later].flags & GMON_EXT_UNLOADED))
			module[i].flags |= GMON_EXT_UNLOADED;
	}
}

static void modules_check_flags(void)
{
	for (uint32_t i = 0; i < modules_number(); i++) {
		const struct module_known *known = &gmon.modules.known[i];
		struct gmon_ext_module *module = &gmon.modules.block->module[i];

		if (!__atomic_load_n(&known->ready, __ATOMIC_ACQUIRE))
			continue;
		if (identity_is_there(&known->identity, &known->loaded))
			module->flags &= (uint8_t)~GMON_EXT_UNLOADED;
		else
			module->flags |= GMON_EXT_UNLOADED;
	}
}

void modules_check(void)
{
	modules_check_flags();
	for (uint32_t i = gmon.modules.nstaying; i < modules_number(); i++)
		if (__atomic_load_n(&gmon.modules.known[i].ready, __ATOMIC_ACQUIRE))
			modules_check_before(i);
}

/*
 * Adds a loaded object in which no sample was taken: another object may have been at its addresses
 * before.
 */
static int modules_meet_each(struct dl_phdr_info *info, size_t size, void *gone)
{
	struct loaded loaded;

	(void)size;
	*(uint64_t *)gone = info->dlpi_subs - gmon.modules.unloaded;
	if (loaded_look(&loaded, info->dlpi_addr, (uintptr_t)info->dlpi_phdr, info->dlpi_phnum))
		modules_meet(loaded.low);
	return 0;
}

/* Counts unloaded objects without a record. One that was loaded n times counts n times. */
static void modules_count_unseen(void)
{
	uint64_t gone = 0;
	uint32_t seen = 0;

	dl_iterate_phdr(modules_meet_each, &gone);
	modules_check();
	for (uint32_t i = 0; i < modules_number(); i++)
		seen += gmon.modules.block->module[i].flags & GMON_EXT_UNLOADED &&
			modules_same(i) == i;
	gmon.modules.unseen = gone > seen ? gone - seen : 0;
}

void modules_end(void)
{
	if (!modules_on())
		return;
	if (!modules_can_find())
		dl_iterate_phdr(modules_note_each, &gmon);
	if (gmon.modules.of_calls)
		modules_count_unseen();
}

uint32_t modules_guess(uintptr_t address)
{
	uint32_t number = modules_number();

	while (number-- > gmon.modules.nstaying)
		if (!modules_can_find() && modules_has(&gmon.modules.known[number], address))
			return number;
	return GMON_EXT_NONE;
}

uint32_t modules_was_at(uintptr_t address)
{
	uint32_t number = modules_staying_at(address);

	if (number != GMON_EXT_NONE &&
	    !(gmon.modules.block->module[number].flags & GMON_EXT_UNLOADED))
		return number;
	for (uint32_t i = gmon.modules.nstaying; i < modules_number(); i++) {
		const struct module_known *known = &gmon.modules.known[i];

		if (!__atomic_load_n(&known->ready, __ATOMIC_ACQUIRE) || known->same ||
		    !modules_has(known, address))
			continue;
		if (number != GMON_EXT_NONE)
			return MODULES_SEVERAL;
		number = i;
	}
	/*
	 * Without find_object(), an object may have been loaded and unloaded without being noticed.
	 */
	if (number == GMON_EXT_NONE && !modules_can_find() && gmon.modules.unseen)
		return MODULES_SEVERAL;
	return number;
}
