/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MiniDebugInfo: a stripped file may have the symbols of its own functions in .gnu_debugdata, which
 * is an ELF file compressed by xz, without those that are dynamic symbols already (gdb's manual,
 * "Debugging information in a special section"). It is decompressed into a file in memory.
 */
#include "config.h"

#include "io/image/image_bfd.h"

#include <sys/mman.h>
#include <unistd.h>

#if HAVE_LZMA
#include <lzma.h>
#include <stdlib.h>

/*
 * What decompression may take: symbols shrink to a fifth, while xz makes one byte of 7000 zeros.
 */
enum { MINI_TIMES = 100, MINI_PIECE = 1 << 16 };
#define MINI_MEMORY (UINT64_C(64) << 20) /* that of xz -6 is 9 MB, of xz -9 65 MB */
#define MINI_MOST   (UINT64_C(256) << 20)

/* The bytes of the section, to be freed, or NULL. */
static unsigned char *image_mini_packed(const struct image *image, size_t *n)
{
	asection *section = bfd_get_section_by_name(image->bfd, ".gnu_debugdata");
	unsigned char *bytes = NULL;

	if (!section || !(bfd_section_flags(section) & SEC_HAS_CONTENTS) ||
	    image_section_is_cut(image->bfd, section))
		return NULL;
	*n = bfd_section_size(section);
	bytes = *n > 0 ? malloc(*n) : NULL;
	if (bytes && image_read_at(image->bfd, (uint64_t)section->filepos, bytes, *n))
		return bytes;
	free(bytes);
	return NULL;
}

/* Writes what a stream of xz contains. Returns false if it is damaged, or becomes too long. */
static bool image_mini_unpack(int fd, const unsigned char *packed, size_t n)
{
	unsigned char piece[MINI_PIECE];
	uint64_t left = n < MINI_MOST / MINI_TIMES ? n * MINI_TIMES + MINI_PIECE : MINI_MOST;
	lzma_stream stream = LZMA_STREAM_INIT;
	lzma_ret rc = lzma_stream_decoder(&stream, MINI_MEMORY, 0);

	stream.next_in = packed;
	stream.avail_in = n;
	while (rc == LZMA_OK) {
		size_t made;

		stream.next_out = piece;
		stream.avail_out = sizeof(piece);
		rc = lzma_code(&stream, LZMA_FINISH);
		made = sizeof(piece) - stream.avail_out;
		if (made > left || write(fd, piece, made) != (ssize_t)made)
			rc = LZMA_BUF_ERROR;
		left -= made;
	}
	lzma_end(&stream);
	return rc == LZMA_STREAM_END;
}

static int image_mini_file(const struct image *image)
{
	size_t n = 0;
	unsigned char *packed = image_mini_packed(image, &n);
	int fd = packed ? memfd_create("symbols", MFD_CLOEXEC) : -1;

	if (fd >= 0 && !image_mini_unpack(fd, packed, n)) {
		close(fd);
		fd = -1;
	}
	free(packed);
	return fd;
}
#else
static int image_mini_file(const struct image *image)
{
	(void)image;
	return -1;
}
#endif

bfd *image_mini(struct image *image)
{
	int fd;

	if (image->has_mini)
		return image->mini;
	image->has_mini = true;
	fd = image_mini_file(image);
	if (fd < 0)
		return NULL;
	image->mini = image_open_descriptor(bfd_get_filename(image->bfd), fd);
	close(fd);
	if (image->mini && !image_check_format(image->mini)) {
		bfd_close(image->mini);
		image->mini = NULL;
	}
	if (image->mini)
		image_hide_links(image->mini);
	return image->mini;
}
