/* SPDX-License-Identifier: MIT */
/* Records of objects. See modules.h. */
#include "modules.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/uio.h>

#include "loaded.h"
#include "region.h"
#include "stamp.h"
#include "state.h"
#include "strings.h"
#include "sys.h"
#include "text.h"

enum { MODULES_NAME_BYTES = 256 /* of a name, to recognize it by */, MODULES_PIECE = 64 };

/* What is known of an object beside its record, which others could write to. */
struct module_known {
	struct loaded place;
	uintptr_t name;      /* the loader's, where it was when the object was found */
	uintptr_t start;     /* of its mapping, as _dl_find_object() has it; 0: not known */
	uint32_t name_bytes; /* of the name, that recognize the object */
	uint32_t ready;      /* all of this is set */
	uint32_t same;       /* a record before it, of the same object, plus 1; or 0 */
	uint64_t print;      /* of what recognizes it */
};

struct modules_block {
	struct region region; /* word: records that there is room for */
	_Alignas(64) struct gmon_ext_module module[MODULES_ROOM];
};

/* What the loader's record begins with, see <link.h>. */
struct modules_map {
	uintptr_t bias, name, dynamic;
};

#if defined(DLFO_STRUCT_HAS_EH_DBASE)
#pragma weak _dl_find_object

/* Where the loader has an object at an address. */
static bool modules_find(uintptr_t address, uintptr_t *start, uintptr_t *map)
{
	struct dl_find_object found;

	if (!_dl_find_object || _dl_find_object((void *)address, &found) != 0)
		return false;
	*start = (uintptr_t)found.dlfo_map_start;
	*map = (uintptr_t)found.dlfo_link_map;
	return true;
}

bool modules_can_find(void)
{
	return _dl_find_object;
}
#else
static bool modules_find(uintptr_t address, uintptr_t *start, uintptr_t *map)
{
	(void)address, (void)start, (void)map;
	return false;
}

bool modules_can_find(void)
{
	return false;
}
#endif

static uint32_t modules_used(void)
{
	uint32_t used = __atomic_load_n(&gmon.modules.used, __ATOMIC_ACQUIRE);

	return used < MODULES_ROOM ? used : MODULES_ROOM;
}

static bool modules_has(const struct module_known *known, uintptr_t address)
{
	return address - known->place.low < known->place.high - known->place.low;
}

/* The object at an address, as _dl_find_object() and the loader have it now. */
struct modules_found {
	uintptr_t start;
	struct modules_map map;
};

/* False: there is none, or nobody can tell. */
static bool modules_ask(struct modules_found *found, uintptr_t address)
{
	uintptr_t map;

	return modules_find(address, &found->start, &map) &&
	       loaded_copy(&found->map, map, sizeof(found->map));
}

/*
 * The print of what was found at a place, if it is like a known object. No other object has the
 * same: not even one that has taken its place, whose record the loader may have at the same place,
 * too. False: it is gone.
 */
static bool modules_print(const struct module_known *like, const struct modules_found *found,
			  uint64_t *print)
{
	unsigned char bytes[MODULES_NAME_BYTES + GMON_EXT_BUILD_ID_BYTES];
	const struct iovec pieces[] = {
		{ (void *)found->map.name, like->name_bytes },
		{ (void *)like->place.build_id, like->place.build_id_bytes },
	};

	if (!loaded_gather(bytes, pieces, sizeof(pieces) / sizeof(pieces[0])))
		return false;
	*print = stamp_add(GMON_EXT_STAMP_START, &found->map.bias, sizeof(found->map.bias));
	*print = stamp_add(*print, &found->map.dynamic, sizeof(found->map.dynamic));
	*print = stamp_add(*print, bytes, pieces[0].iov_len + pieces[1].iov_len);
	return true;
}

/* Whether what was found is a known object. */
static bool modules_is(const struct module_known *known, const struct modules_found *found)
{
	uint64_t print;

	return found->start == known->start && modules_print(known, found, &print) &&
	       print == known->print;
}

/* Whether a known object is still there. True if nobody can tell. */
static bool modules_is_there(const struct module_known *known)
{
	struct modules_found found;

	return !known->start ||
	       (modules_ask(&found, known->place.low) && modules_is(known, &found));
}

/* Copies a string in pieces, which do not reach into memory behind it. False: it is not there. */
static bool modules_string(struct text *text, uintptr_t from)
{
	char piece[MODULES_PIECE];
	size_t length;

	do {
		size_t n = MODULES_PIECE - from % MODULES_PIECE;

		if (!loaded_copy(piece, from, n))
			return false;
		for (length = 0; length < n && piece[length]; length++)
			;
		text_add_bytes(text, piece, length);
		from += n;
		n -= length;
		if (n)
			return true;
	} while (!text->full);
	return false;
}

/* Bytes that recognize a name: its first ones, with the end if it is among them. */
static uint32_t modules_name_bytes(uintptr_t name)
{
	char room[MODULES_NAME_BYTES];
	struct text text = text_in(room, sizeof(room));

	modules_string(&text, name);
	return (uint32_t)text.length + !text.full;
}

/* The path that a record has, of an object that the loader calls by the name that is at `name`. */
static void modules_add_path(struct text *path, uintptr_t name)
{
	char first = '/';

	if (!loaded_copy(&first, name, 1) || !first)
		return;
	if (first != '/' && !sys_failed(SYS2(SYS_getcwd, path->at, path->room))) {
		*path = text_behind(path->at, path->room);
		text_add(path, "/");
	}
	modules_string(path, name);
}

static void modules_add_own_path(struct text *path)
{
	long n = SYS4(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", path->at, path->room - 1);

	if (n <= 0)
		return;
	path->at[n] = '\0';
	*path = text_behind(path->at, path->room);
}

/* Fills in the record of an object, which nobody has seen. */
static void modules_write(uint32_t number)
{
	struct module_known *known = &gmon.modules.known[number];
	struct gmon_ext_module *module = &gmon.modules.block->module[number];
	uintptr_t vdso = gmon.modules.vdso;
	char *room = sys_memory(PATH_BYTES);

	module->low = known->place.low;
	module->high = known->place.high;
	module->bias = known->place.bias;
	if (loaded_copy(module->build_id, known->place.build_id, known->place.build_id_bytes))
		module->build_id_bytes = (uint8_t)known->place.build_id_bytes;
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
			modules_add_path(&path, known->name);
		}
		module->path = strings_add(room);
		module->bytes = sys_file_bytes(room);
		sys_munmap(room, PATH_BYTES);
	}
	__atomic_store_n(&known->ready, 1, __ATOMIC_RELEASE);
}

/* Adds an object, without its record, if it is new and has code. */
static void modules_note(uintptr_t bias, uintptr_t headers, size_t nheaders, const char *name)
{
	uint32_t number = gmon.modules.used;
	struct module_known *known = &gmon.modules.known[number];

	if (number == MODULES_ROOM || !loaded_look(&known->place, bias, headers, nheaders))
		return;
	for (uint32_t i = 0; i < number; i++)
		if (modules_has(&gmon.modules.known[i], known->place.low))
			return;
	known->name = (uintptr_t)name;
	gmon.modules.used++;
}

static int modules_note_each(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	(void)context;
	gmon.modules.unloaded = info->dlpi_subs;
	modules_note(info->dlpi_addr, (uintptr_t)info->dlpi_phdr, info->dlpi_phnum,
		     info->dlpi_name);
	return 0;
}

void modules_prepare(void)
{
	uintptr_t vdso = getauxval(AT_SYSINFO_EHDR);

	gmon.modules.known =
		sys_memory(MODULES_ROOM * (sizeof(gmon.modules.known[0]) + sizeof(uint16_t)));
	if (!gmon.modules.known)
		return;
	gmon.modules.vdso = vdso;
	gmon.modules.order = (void *)(gmon.modules.known + MODULES_ROOM);
	modules_note(gmon.program.bias, getauxval(AT_PHDR), getauxval(AT_PHNUM), "");
	dl_iterate_phdr(modules_note_each, NULL);
	if (vdso) {
		const ElfW(Ehdr) *file = (const void *)vdso;

		modules_note(vdso, vdso + file->e_phoff, file->e_phnum, "");
	}
	gmon.modules.nstaying = gmon.modules.used;
}

/* Notes what recognizes an object, whose place is known. False: it is not there. */
static bool modules_recognize(struct module_known *known, const struct modules_found *found)
{
	known->name = found->map.name;
	known->name_bytes = modules_name_bytes(known->name);
	if (!modules_print(known, found, &known->print))
		return false;
	known->start = found->start;
	return true;
}

bool modules_start(void)
{
	uint16_t *order = gmon.modules.order;

	if (gmon.modules.known)
		gmon.modules.block = region_new(GMON_LIVE_MODULES, sizeof(struct modules_block),
						MODULES_ROOM, gmon.settings.libs);
	if (!gmon.modules.block)
		return false;
	gmon.modules.several_name = strings_add("[unloaded]");
	for (uint32_t i = 0; i < gmon.modules.nstaying; i++) {
		const struct module_known *known = gmon.modules.known;
		struct modules_found found;
		uint32_t at = i;

		if (modules_ask(&found, known[i].place.low))
			modules_recognize(&gmon.modules.known[i], &found);
		modules_write(i);
		for (; at > 0 && known[order[at - 1]].place.low > known[i].place.low; at--)
			order[at] = order[at - 1];
		order[at] = (uint16_t)i;
	}
	return true;
}

bool modules_on(void)
{
	return gmon.modules.block;
}

/* Among those of the start. */
static uint32_t modules_staying_at(uintptr_t address)
{
	const struct module_known *known = gmon.modules.known;
	uint32_t low = 0;
	uint32_t high = gmon.modules.nstaying;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (known[gmon.modules.order[middle]].place.low <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || !modules_has(&known[gmon.modules.order[low - 1]], address))
		return GMON_EXT_NONE;
	return gmon.modules.order[low - 1];
}

/* A place for a new object. */
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

/* Threads that meet an object at the same moment may make a record each. */
static uint32_t modules_add(const struct modules_found *found, uintptr_t address)
{
	struct module_known known, *to; /* not copied whole: some compilers call memcpy for that */
	uint32_t number;

	if (!loaded_look_at(&known.place, found->map.bias, found->start) ||
	    !modules_has(&known, address) || !modules_recognize(&known, found))
		return GMON_EXT_NONE;
	number = modules_take();
	if (number == GMON_EXT_NONE)
		return number;
	to = &gmon.modules.known[number];
	to->ready = to->same = 0;
	to->place = known.place;
	to->name = known.name;
	to->start = known.start;
	to->name_bytes = known.name_bytes;
	to->print = known.print;
	modules_write(number);
	return number;
}

/* Among those that came later; adds it if it is new. */
static uint32_t modules_later_at(uintptr_t address)
{
	struct modules_found found;

	if (!modules_ask(&found, address))
		return GMON_EXT_NONE;
	for (uint32_t i = modules_used(); i-- > gmon.modules.nstaying;) {
		const struct module_known *known = &gmon.modules.known[i];

		if (__atomic_load_n(&known->ready, __ATOMIC_ACQUIRE) && modules_is(known, &found))
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
		const struct loaded *place = &gmon.modules.known[number].place;

		*recent = (struct modules_recent){ place->low, place->high, number };
	}
	return number;
}

void modules_meet(uintptr_t address)
{
	struct modules_recent recent = { 0, 0, GMON_EXT_NONE };

	modules_at(address, &recent);
}

bool modules_stay(uint32_t module)
{
	return module < gmon.modules.nstaying;
}

uint32_t modules_number(void)
{
	return modules_used();
}

void modules_copy(uint32_t module, struct gmon_ext_module *copy)
{
	const struct gmon_ext_module *told = &gmon.modules.block->module[module];
	const struct loaded *place = &gmon.modules.known[module].place;

	for (size_t i = 0; i < sizeof(*copy); i++)
		((char *)copy)[i] = 0;
	copy->low = place->low;
	copy->high = place->high;
	copy->bias = place->bias;
	copy->bytes = told->bytes;
	copy->path = told->path;
	copy->flags = told->flags &
		      (GMON_EXT_PROGRAM | GMON_EXT_VDSO | GMON_EXT_UNLOADED | GMON_EXT_RECORDER);
	if (told->build_id_bytes != place->build_id_bytes)
		return;
	copy->build_id_bytes = told->build_id_bytes;
	for (uint32_t i = 0; i < place->build_id_bytes; i++)
		copy->build_id[i] = told->build_id[i];
}

uintptr_t modules_bias(uint32_t module)
{
	return gmon.modules.known[module].place.bias;
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

/* Whether two places share addresses. */
static bool modules_meet_at(const struct loaded *a, const struct loaded *b)
{
	return a->low < b->high && b->low < a->high;
}

/* What came before a later one, in its place, is gone, unless it is the same. */
static void modules_check_before(uint32_t later)
{
	struct module_known *known = gmon.modules.known;
	struct gmon_ext_module *module = gmon.modules.block->module;

	for (uint32_t i = 0; i < later; i++) {
		if (!__atomic_load_n(&known[i].ready, __ATOMIC_ACQUIRE) ||
		    !modules_meet_at(&known[i].place, &known[later].place))
			continue;
		if (known[i].start && known[i].start == known[later].start &&
		    known[i].print == known[later].print) {
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
	for (uint32_t i = 0; i < modules_used(); i++) {
		const struct module_known *known = &gmon.modules.known[i];
		struct gmon_ext_module *module = &gmon.modules.block->module[i];

		if (!__atomic_load_n(&known->ready, __ATOMIC_ACQUIRE))
			continue;
		if (modules_is_there(known))
			module->flags &= (uint8_t)~GMON_EXT_UNLOADED;
		else
			module->flags |= GMON_EXT_UNLOADED;
	}
}

void modules_check(void)
{
	modules_check_flags();
	for (uint32_t i = gmon.modules.nstaying; i < modules_used(); i++)
		if (__atomic_load_n(&gmon.modules.known[i].ready, __ATOMIC_ACQUIRE))
			modules_check_before(i);
}

static int modules_end_each(struct dl_phdr_info *info, size_t size, void *context)
{
	uint32_t before = gmon.modules.used;

	(void)size;
	(void)context;
	if (info->dlpi_subs != gmon.modules.unloaded)
		return 1;
	modules_note(info->dlpi_addr, (uintptr_t)info->dlpi_phdr, info->dlpi_phnum,
		     info->dlpi_name);
	if (gmon.modules.used > before)
		modules_write(before);
	return 0;
}

/* What has come last may be in the place of another without having been met. */
static int modules_meet_each(struct dl_phdr_info *info, size_t size, void *gone)
{
	struct loaded place;

	(void)size;
	*(uint64_t *)gone = info->dlpi_subs - gmon.modules.unloaded;
	if (loaded_look(&place, info->dlpi_addr, (uintptr_t)info->dlpi_phdr, info->dlpi_phnum))
		modules_meet(place.low);
	return 0;
}

/* Objects that were opened more than once are among those. */
static void modules_count_unseen(void)
{
	uint64_t gone = 0;
	uint32_t seen = 0;

	dl_iterate_phdr(modules_meet_each, &gone);
	modules_check();
	for (uint32_t i = 0; i < modules_used(); i++)
		seen += gmon.modules.block->module[i].flags & GMON_EXT_UNLOADED &&
			modules_same(i) == i;
	gmon.modules.unseen = gone > seen ? gone - seen : 0;
}

void modules_end(void)
{
	if (!modules_on())
		return;
	if (!modules_can_find())
		dl_iterate_phdr(modules_end_each, NULL);
	if (gmon.modules.of_calls)
		modules_count_unseen();
}

uint32_t modules_guess(uintptr_t address)
{
	uint32_t number = modules_used();

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
	for (uint32_t i = gmon.modules.nstaying; i < modules_used(); i++) {
		const struct module_known *known = &gmon.modules.known[i];

		if (!__atomic_load_n(&known->ready, __ATOMIC_ACQUIRE) || known->same ||
		    !modules_has(known, address))
			continue;
		if (number != GMON_EXT_NONE)
			return MODULES_SEVERAL;
		number = i;
	}
	/* Whatever came later is not known if anything was unloaded. */
	if (number == GMON_EXT_NONE && !modules_can_find() && gmon.modules.unseen)
		return MODULES_SEVERAL;
	return number;
}
