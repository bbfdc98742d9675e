/* SPDX-License-Identifier: MIT */
/* .eh_frame_hdr and .eh_frame. See ehframe.h. */
#include "unwind/ehframe.h"

#include <link.h>

typedef ElfW(Phdr) phdr;

enum { EHFRAME_STEP = 64 /* entries of the first step from where a search begins */ };

/* Encodings of a pointer: the size of the number, and what it counts from. */
enum {
	PE_ABSOLUTE = 0x00,
	PE_ULEB128 = 0x01,
	PE_UDATA2 = 0x02,
	PE_UDATA4 = 0x03,
	PE_UDATA8 = 0x04,
	PE_SLEB128 = 0x09,
	PE_SDATA2 = 0x0a,
	PE_SDATA4 = 0x0b,
	PE_SDATA8 = 0x0c,
	PE_SIZE = 0x0f,
	PE_SIGNED = 0x08,
	PE_FROM_HERE = 0x10,
	PE_FROM = 0x70,
	PE_TABLE = 0x3b, /* signed 4 bytes, from .eh_frame_hdr */
};

/* Reads a number of the size and sign that an encoding says. */
static uint64_t ehframe_value(struct eh_bytes *bytes, unsigned encoding)
{
	switch (encoding & PE_SIZE) {
	case PE_ABSOLUTE:
		return eh_number(bytes, sizeof(uintptr_t));
	case PE_ULEB128:
		return eh_leb(bytes);
	case PE_UDATA4:
		return eh_number(bytes, sizeof(uint32_t));
	case PE_UDATA2:
	case PE_UDATA8:
		return eh_number(bytes, 1U << ((encoding & PE_SIZE) - 1));
	case PE_SLEB128:
		return (uint64_t)eh_sleb(bytes);
	case PE_SDATA4:
		return (uint64_t)eh_signed(bytes, sizeof(uint32_t));
	case PE_SDATA2:
	case PE_SDATA8:
		return (uint64_t)eh_signed(bytes, 1U << ((encoding & PE_SIZE) - 9));
	}
	bytes->bad = true;
	return 0;
}

uintptr_t ehframe_pointer(struct eh_bytes *bytes, unsigned encoding)
{
	uintptr_t here = bytes->at;
	uint64_t value = ehframe_value(bytes, encoding);

	if ((encoding & PE_FROM) == PE_FROM_HERE)
		return here + (uintptr_t)value;
	if (encoding & ~PE_SIZE)
		bytes->bad = true;
	return (uintptr_t)value;
}

static const phdr *ehframe_segment(uintptr_t bias, const phdr *segment, size_t n, uintptr_t at)
{
	for (size_t i = 0; i < n; i++)
		if (segment[i].p_type == PT_LOAD && segment[i].p_flags & PF_R &&
		    at - (bias + segment[i].p_vaddr) < segment[i].p_filesz)
			return &segment[i];
	return NULL;
}

static void ehframe_set_ranges(struct eh_object *object, uintptr_t bias, const phdr *segment,
			       size_t n)
{
	object->low = UINTPTR_MAX;
	object->high = object->text_low = object->text_high = 0;
	for (size_t i = 0; i < n; i++) {
		uintptr_t low = bias + segment[i].p_vaddr;

		if (segment[i].p_type != PT_LOAD)
			continue;
		if (low < object->low)
			object->low = low;
		if (low + segment[i].p_memsz > object->high)
			object->high = low + segment[i].p_memsz;
		/* Some programs have a small segment of stubs before the one of their code. */
		if (!(segment[i].p_flags & PF_X) || !(segment[i].p_flags & PF_R) ||
		    segment[i].p_filesz <= object->text_high - object->text_low)
			continue;
		object->text_low = low;
		object->text_high = low + segment[i].p_filesz;
	}
}

/* The number of a pointer in .eh_frame_hdr, and how many bytes it has; 0: not of a known form. */
static unsigned ehframe_header_pointer(const uint8_t *at, unsigned encoding, uintptr_t *value)
{
	uint32_t half;

	*value = 0;
	switch (encoding & PE_SIZE) {
	case PE_UDATA4:
	case PE_SDATA4:
		__builtin_memcpy(&half, at, sizeof(half));
		*value = encoding & PE_SIGNED ? (uintptr_t)(intptr_t)(int32_t)half : half;
		return sizeof(half);
	case PE_UDATA8:
	case PE_SDATA8:
	case PE_ABSOLUTE:
		__builtin_memcpy(value, at, sizeof(*value));
		return sizeof(*value) == 8 || (encoding & PE_SIZE) == PE_ABSOLUTE ? sizeof(*value)
										  : 0;
	}
	return 0;
}

/* The first bytes of .eh_frame_hdr: 4 that say how the rest is written, the address of .eh_frame,
 * the number of entries; and some of the table. */
enum { EHFRAME_HEAD = 20 };

/*
 * Sets the table by the first bytes of the .eh_frame_hdr at object->header, which ends at `end`.
 * *frames: the address of .eh_frame. False: it is written in a way that is not known.
 */
static bool ehframe_parse(struct eh_object *object, const uint8_t *head, uintptr_t end,
			  uintptr_t *frames)
{
	unsigned bytes;
	uint32_t n;

	if (head[0] != 1 || head[2] != PE_UDATA4 || head[3] != PE_TABLE)
		return false;
	bytes = ehframe_header_pointer(head + 4, head[1], frames);
	if ((head[1] & PE_FROM) == PE_FROM_HERE)
		*frames += object->header + 4;
	else if (head[1] & ~PE_SIZE)
		return false;
	__builtin_memcpy(&n, head + 4 + bytes, sizeof(n));
	object->table = object->header + 4 + bytes + sizeof(n);
	object->n = n;
	return bytes && object->table <= end &&
	       n <= (end - object->table) / sizeof(struct eh_entry);
}

static uintptr_t ehframe_hash(const struct eh_object *object, const uint8_t *head)
{
	uintptr_t hash = object->low ^ object->base;

	for (size_t i = 0; i < EHFRAME_HEAD && head; i += sizeof(uint32_t)) {
		uint32_t word;

		__builtin_memcpy(&word, head + i, sizeof(word));
		hash = (hash ^ word) * (uintptr_t)0x9e3779b97f4a7c15;
	}
	return hash | 1;
}

bool ehframe_open(struct eh_object *object, uintptr_t bias, const void *headers, size_t n)
{
	const phdr *segment = headers;
	const phdr *found = NULL;
	uint8_t head[EHFRAME_HEAD];
	uintptr_t at = 0;
	uintptr_t frames;

	ehframe_set_ranges(object, bias, segment, n);
	object->n = 0;
	object->base = object->table = object->frames_low = object->frames_high = 0;
	object->header = 0;
	object->fingerprint = ehframe_hash(object, NULL);
	for (size_t i = 0; i < n && !at; i++)
		if (segment[i].p_type == PT_GNU_EH_FRAME)
			at = bias + segment[i].p_vaddr;
	if (at)
		found = ehframe_segment(bias, segment, n, at);
	if (!found || at % sizeof(int32_t) || !readable_copy(head, at, sizeof(head)))
		return false;
	object->header = object->base = at;
	if (ehframe_parse(object, head, bias + found->p_vaddr + found->p_filesz, &frames))
		found = ehframe_segment(bias, segment, n, frames);
	else
		found = NULL;
	if (!found) {
		object->n = object->header = object->base = 0;
		return false;
	}
	object->frames_low = bias + found->p_vaddr;
	object->frames_high = object->frames_low + found->p_filesz;
	object->fingerprint = ehframe_hash(object, head);
	return true;
}

uintptr_t ehframe_fingerprint(const struct eh_object *object)
{
	uint8_t head[EHFRAME_HEAD];

	if (!object->header)
		return ehframe_hash(object, NULL);
	return readable_copy(head, object->header, sizeof(head)) ? ehframe_hash(object, head) : 0;
}

/* Makes `bytes` a reader of the CIE or FDE at an address, after its length. */
static bool ehframe_begin(const struct eh_object *object, struct readable *readable, uintptr_t at,
			  struct eh_bytes *bytes)
{
	uint64_t length;

	if (at < object->frames_low || at >= object->frames_high)
		return false;
	*bytes = ehframe_bytes(object, readable, at, object->frames_high);
	length = eh_number(bytes, 4);
	if (length == UINT32_MAX)
		length = eh_number(bytes, 8);
	if (!length || bytes->bad || length > bytes->end - bytes->at)
		return false;
	bytes->end = bytes->at + length;
	return true;
}

/* Reads the data of a CIE's augmentation, as its letters after the 'z' say. */
static bool ehframe_augment(struct eh_bytes *bytes, struct eh_bytes letters, struct eh_fde *fde)
{
	uint64_t length = eh_leb(bytes);
	struct eh_bytes data = *bytes;
	uint8_t letter;

	if (!eh_skip(bytes, length))
		return false;
	data.end = bytes->at;
	while ((letter = eh_byte(&letters))) {
		if (letter == 'R')
			fde->encoding = eh_byte(&data);
		else if (letter == 'P')
			ehframe_value(&data, eh_byte(&data));
		else if (letter == 'L')
			eh_byte(&data);
		else if (letter == 'S')
			fde->signal = true;
		else if (letter != 'B' && letter != 'G')
			return false;
	}
	return !data.bad && !letters.bad;
}

/* Reads a CIE. */
static bool ehframe_cie(const struct eh_object *object, struct readable *readable, uintptr_t at,
			struct eh_fde *fde)
{
	struct eh_bytes bytes, letters;
	unsigned version;
	uint8_t first;

	fde->cie = 0;
	if (!ehframe_begin(object, readable, at, &bytes) || eh_number(&bytes, 4) != 0)
		return false;
	version = eh_byte(&bytes);
	if (version != 1 && version != 3 && version != 4)
		return false;
	letters = bytes;
	first = eh_byte(&letters);
	while (eh_byte(&bytes))
		;
	if (bytes.bad || (version == 4 && eh_number(&bytes, 1) != sizeof(uintptr_t)) ||
	    (version == 4 && eh_number(&bytes, 1) != 0))
		return false;
	fde->code_align = eh_leb(&bytes);
	fde->data_align = eh_sleb(&bytes);
	fde->ra = version == 1 ? eh_byte(&bytes) : eh_leb(&bytes);
	fde->signal = false;
	fde->encoding = PE_ABSOLUTE;
	fde->augmented = first == 'z';
	if (fde->augmented ? !ehframe_augment(&bytes, letters, fde) : first)
		return false;
	fde->first = bytes;
	fde->cie = bytes.bad ? 0 : at;
	return !bytes.bad;
}

/* Reads an FDE; its CIE only if that is not the one of *fde. */
static bool ehframe_fde(const struct eh_object *object, struct readable *readable, uintptr_t at,
			struct eh_fde *fde, uintptr_t *next)
{
	struct eh_bytes bytes;
	uintptr_t here;
	uint64_t back;

	if (!ehframe_begin(object, readable, at, &bytes))
		return false;
	if (next)
		*next = bytes.end;
	here = bytes.at;
	back = eh_number(&bytes, 4);
	if (!back || bytes.bad ||
	    (here - back != fde->cie && !ehframe_cie(object, readable, here - back, fde)))
		return false;
	fde->low = ehframe_pointer(&bytes, fde->encoding);
	fde->high = fde->low + (uintptr_t)ehframe_value(&bytes, fde->encoding & PE_SIZE);
	if (fde->augmented)
		eh_skip(&bytes, eh_leb(&bytes));
	fde->code = bytes;
	return !bytes.bad && fde->low < fde->high;
}

bool ehframe_read(const struct eh_object *object, struct readable *readable, uintptr_t at,
		  struct eh_fde *fde, uintptr_t *next)
{
	fde->cie = 0;
	return ehframe_fde(object, readable, at, fde, next);
}

bool ehframe_read_next(const struct eh_object *object, uintptr_t at, struct eh_fde *fde)
{
	return ehframe_fde(object, NULL, at, fde, NULL);
}

/* Returns about where in the table the entry for pc is: functions are spread over the code nearly
 * evenly. */
static size_t ehframe_expect(const struct eh_object *object, uintptr_t pc)
{
	uintptr_t bytes = object->text_high - object->text_low;
	uintptr_t at = pc - object->text_low;

	return at < bytes && object->n ? at / (bytes / object->n + 1) : 0;
}

bool ehframe_find(const struct eh_object *object, struct readable *readable, uintptr_t pc,
		  struct eh_fde *fde)
{
	intptr_t code = (intptr_t)(pc - object->base);
	struct eh_entry entry;
	size_t middle = ehframe_expect(object, pc);
	size_t low = 0;
	size_t high = object->n;

	if (code != (int32_t)code)
		return false;
	/* From there in growing steps, so that few pages of a large table are met; then by halves.
	 */
	for (size_t step = EHFRAME_STEP; low < high; step *= 2) {
		if (middle < low || middle >= high)
			middle = low + (high - low) / 2;
		if (!ehframe_entry(object, readable, middle, &entry))
			return false;
		if (entry.code <= code) {
			low = middle + 1;
			middle += step;
		} else {
			high = middle;
			middle -= step;
		}
	}
	return low > 0 && ehframe_entry(object, readable, low - 1, &entry) &&
	       ehframe_read(object, readable, object->base + (uintptr_t)(intptr_t)entry.frame, fde,
			    NULL) &&
	       pc - fde->low < fde->high - fde->low;
}
