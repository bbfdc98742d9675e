/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses sections of code by a pattern of their names. Linear in sections. */
#include "config.h"

#include "base/output.h"
#include "io/image/image_bfd.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

/* The most bytes of section names in a message. */
enum { NAMES_BYTES = 400 };

bool image_section_is_chosen(const asection *section, const char *pattern)
{
	return !pattern || fnmatch(pattern, bfd_section_name(section), 0) == 0;
}

static bool image_section_has_code(const asection *s)
{
	return image_section_is_code(s) && bfd_section_size(s) > 0;
}

int image_has_sections(const struct image *image, const char *pattern, struct diag *diag)
{
	char names[NAMES_BYTES] = "";
	size_t n = 0;

	for (const asection *s = image->bfd->sections; s; s = s->next) {
		if (!image_section_has_code(s))
			continue;
		if (image_section_is_chosen(s, pattern))
			return 0;
		if (n < sizeof(names))
			n += (size_t)snprintf(names + n, sizeof(names) - n, "%s%s",
					      n > 0 ? ", " : "", bfd_section_name(s));
	}
	diag_error(diag, "%s: no section with code is called '%s' (--text-section): there are %s",
		   bfd_get_filename(image->bfd), pattern, names);
	return -1;
}

/* Whether a chosen section has code at the same addresses, as an overlay has. */
static bool image_section_is_overlaid(const struct image *image, const char *pattern,
				      const asection *other)
{
	for (const asection *s = image->bfd->sections; s; s = s->next) {
		if (image_section_has_code(s) && image_section_is_chosen(s, pattern) &&
		    s->vma < other->vma + bfd_section_size(other) &&
		    other->vma < s->vma + bfd_section_size(s))
			return true;
	}
	return false;
}

size_t image_other_sections(const struct image *image, const char *pattern, struct sym *to,
			    struct arena *mem)
{
	size_t n = 0;

	for (const asection *s = image->bfd->sections; pattern && s; s = s->next) {
		const char *name = bfd_section_name(s);
		size_t size = strlen(name) + sizeof("[]");
		char *text;

		if (!image_section_has_code(s) || image_section_is_chosen(s, pattern) ||
		    image_section_is_overlaid(image, pattern, s))
			continue;
		if (to) {
			text = arena_array(mem, char, size);
			snprintf(text, size, "[%s]", name);
			to[n] = (struct sym){ .lo = s->vma,
					      .hi = s->vma + bfd_section_size(s),
					      .name = text,
					      .flags = SYM_FUNC | SYM_STATIC,
					      .place = UINT32_MAX - 1 };
		}
		n++;
	}
	return n;
}
