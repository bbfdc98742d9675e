/* SPDX-License-Identifier: MIT */
/* .eh_frame_hdr and .eh_frame. See ehframe.h. */
#include "unwind/ehframe.h"

#include <link.h>

typedef ElfW(Phdr) phdr;

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
	PE_FROM_HERE = 0x10,
	PE_FROM = 0x70,
	PE_TABLE = 0x3b, /* signed 4 bytes, from .eh_frame_hdr */
};

/* A number of the size and sign that an encoding says. */
static uint64_t ehframe_value(struct eh_bytes *bytes, unsigned encoding)
{
	switch (encoding & PE_SIZE) {
	case PE_ABSOLUTE:
		return eh_number(bytes, sizeof(uintptr_t));
	case PE_ULEB128:
		return eh_leb(bytes);
	case PE_UDATA2:
	case PE_UDATA4:
	case PE_UDATA8:
		return eh_number(bytes, 1U << ((encoding & PE_SIZE) - 1));
	case PE_SLEB128:
		return (uint64_t)eh_sleb(bytes);
	case PE_SDATA2:
	case PE_SDATA4:
	case PE_SDATA8:
		return (uint64_t)eh_signed(bytes, 1U << ((encoding & PE_SIZE) - 9));
	}
	bytes->bad = true;
	return 0;
}

uintptr_t ehframe_pointer(struct eh_bytes *bytes, unsigned encoding)
{
	uintptr_t here = (uintptr_t)bytes->at;
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

bool ehframe_open(struct eh_object *object, uintptr_t bias, const void *headers, size_t n)
{
	const phdr *segment = headers;
	const phdr *found = NULL;
	struct eh_bytes bytes;
	uintptr_t at = 0;
	unsigned pointer;

	ehframe_set_ranges(object, bias, segment, n);
	object->n = 0;
	object->base = object->frames_low = object->frames_high = 0;
	object->header = NULL;
	object->fingerprint = ehframe_fingerprint(object);
	for (size_t i = 0; i < n && !at; i++)
		if (segment[i].p_type == PT_GNU_EH_FRAME)
			at = bias + segment[i].p_vaddr;
	if (at)
		found = ehframe_segment(bias, segment, n, at);
	if (!found || at % sizeof(int32_t))
		return false;
	bytes = (struct eh_bytes){ (const uint8_t *)at,
				   (const uint8_t *)(bias + found->p_vaddr + found->p_filesz),
				   false };
	if (eh_byte(&bytes) != 1)
		return false;
	pointer = eh_byte(&bytes);
	if (eh_byte(&bytes) != PE_UDATA4 || eh_byte(&bytes) != PE_TABLE)
		return false;
	found = ehframe_segment(bias, segment, n, ehframe_pointer(&bytes, pointer));
	object->n = (size_t)eh_number(&bytes, 4);
	object->table = (const struct eh_entry *)bytes.at;
	if (!found || bytes.bad || (uintptr_t)bytes.at % sizeof(int32_t) ||
	    object->n > (size_t)(bytes.end - bytes.at) / sizeof(struct eh_entry)) {
		object->n = 0;
		return false;
	}
	object->frames_low = bias + found->p_vaddr;
	object->frames_high = object->frames_low + found->p_filesz;
	object->header = (const uint8_t *)at;
	object->base = at;
	object->fingerprint = ehframe_fingerprint(object);
	return true;
}

uintptr_t ehframe_fingerprint(const struct eh_object *object)
{
	const uint32_t *word = (const void *)object->header;
	uintptr_t hash = object->low ^ object->base;

	for (size_t i = 0; i < 5 && object->n && word; i++)
		hash = (hash ^ word[i]) * (uintptr_t)0x9e3779b97f4a7c15;
	return hash | 1;
}

/* Makes `bytes` a reader of the CIE or FDE at an address, after its length. */
static bool ehframe_begin(const struct eh_object *object, uintptr_t at, struct eh_bytes *bytes)
{
	uint64_t length;

	if (at < object->frames_low || at >= object->frames_high)
		return false;
	*bytes = (struct eh_bytes){ (const uint8_t *)at, (const uint8_t *)object->frames_high,
				    false };
	length = eh_number(bytes, 4);
	if (length == UINT32_MAX)
		length = eh_number(bytes, 8);
	if (!length || bytes->bad || length > (size_t)(bytes->end - bytes->at))
		return false;
	bytes->end = bytes->at + length;
	return true;
}

/* Reads the data of a CIE's augmentation, as its letters say. */
static bool ehframe_augment(struct eh_bytes *bytes, const uint8_t *letter, struct eh_fde *fde)
{
	uint64_t length = eh_leb(bytes);
	struct eh_bytes data = { eh_skip(bytes, length), bytes->at, false };

	if (!data.at)
		return false;
	for (letter++; *letter; letter++) {
		if (*letter == 'R')
			fde->encoding = eh_byte(&data);
		else if (*letter == 'P')
			ehframe_value(&data, eh_byte(&data));
		else if (*letter == 'L')
			eh_byte(&data);
		else if (*letter == 'S')
			fde->signal = true;
		else if (*letter != 'B' && *letter != 'G')
			return false;
	}
	return !data.bad;
}

/* Reads a CIE. *augmented: its FDEs have augmentation data, too. */
static bool ehframe_cie(const struct eh_object *object, uintptr_t at, struct eh_fde *fde,
			bool *augmented)
{
	struct eh_bytes bytes;
	const uint8_t *letters;
	unsigned version;

	if (!ehframe_begin(object, at, &bytes) || eh_number(&bytes, 4) != 0)
		return false;
	version = eh_byte(&bytes);
	if (version != 1 && version != 3 && version != 4)
		return false;
	letters = bytes.at;
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
	*augmented = *letters == 'z';
	if (*augmented ? !ehframe_augment(&bytes, letters, fde) : *letters)
		return false;
	fde->first = bytes;
	return !bytes.bad;
}

bool ehframe_read(const struct eh_object *object, uintptr_t at, struct eh_fde *fde, uintptr_t *next)
{
	struct eh_bytes bytes;
	uintptr_t here;
	uint64_t back;
	bool augmented;

	if (!ehframe_begin(object, at, &bytes))
		return false;
	if (next)
		*next = (uintptr_t)bytes.end;
	here = (uintptr_t)bytes.at;
	back = eh_number(&bytes, 4);
	if (!back || bytes.bad || !ehframe_cie(object, here - back, fde, &augmented))
		return false;
	fde->low = ehframe_pointer(&bytes, fde->encoding);
	fde->high = fde->low + (uintptr_t)ehframe_value(&bytes, fde->encoding & PE_SIZE);
	if (augmented)
		eh_skip(&bytes, eh_leb(&bytes));
	fde->code = bytes;
	return !bytes.bad && fde->low < fde->high;
}

bool ehframe_find(const struct eh_object *object, uintptr_t pc, struct eh_fde *fde)
{
	intptr_t code = (intptr_t)(pc - object->base);
	size_t low = 0;
	size_t high = object->n;

	if (code != (int32_t)code)
		return false;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (object->table[middle].code <= code)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 &&
	       ehframe_read(object, object->base + (intptr_t)object->table[low - 1].frame, fde,
			    NULL) &&
	       pc - fde->low < fde->high - fde->low;
}
