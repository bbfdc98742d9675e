/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens files for libbfd and reads bytes of them; knows nothing of their meaning. */
#include "config.h"

#include "io/image/image_bfd.h"

#include <stdio.h>

/*
 * While it tries formats, libbfd collects messages and writes them to stderr itself, without
 * calling the handler. The descriptor of stderr stays valid for messages after that. A stream
 * without a function that writes discards all; the sandbox would not let /dev/null be written.
 */
bool image_check_format(bfd *abfd)
{
	const cookie_io_functions_t discard = { 0 };
	FILE *saved = stderr, *null = fopencookie(NULL, "w", discard);
	bool ok;

	if (null)
		stderr = null;
	ok = bfd_check_format(abfd, bfd_object);
	stderr = saved;
	if (null)
		fclose(null);
	return ok;
}

int image_fail(const bfd *abfd, struct diag *diag)
{
	diag_error(diag, "%s: %s", bfd_get_filename(abfd), bfd_errmsg(bfd_get_error()));
	return -1;
}

bool image_section_is_cut(bfd *abfd, asection *section)
{
	uint64_t size = bfd_section_size(section), file_size = bfd_get_file_size(abfd);
	uint64_t at = (uint64_t)section->filepos;

	return bfd_section_flags(section) & SEC_HAS_CONTENTS &&
	       (at > file_size || size > file_size - at);
}

bool image_read_at(bfd *abfd, uint64_t at, unsigned char *to, size_t n)
{
#if !HAVE_DECL_BFD_BREAD /* since binutils 2.44 */
#define bfd_bread bfd_read
#endif
	return at <= INT64_MAX && bfd_seek(abfd, (file_ptr)at, SEEK_SET) == 0 &&
	       bfd_bread(to, n, abfd) == n;
}
