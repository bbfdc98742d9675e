/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds separate debug files. libbfd could find them, but opens anything that has the right name;
 * so image_hide_links() hides the names from libbfd, and libbfd is given files that are already
 * open.
 */
#include "config.h"

#include "base/path.h"
#include "io/file.h"
#include "io/image/debuginfo.h"
#include "io/image/image.h"
#include "io/image/image_bfd.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bfd *image_open_descriptor(const char *path, int fd)
{
	int own = lseek(fd, 0, SEEK_SET) < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0);
	bfd *abfd = own < 0 ? NULL : bfd_fdopenr(path, NULL, own);

	/* libbfd closes the descriptor even on failure. */
	if (abfd)
		abfd->flags |= BFD_DECOMPRESS; /* otherwise compressed debug sections would have no
						  lines */
	return abfd;
}

void image_hide_links(bfd *abfd)
{
	static const char *const names[] = { ".gnu_debuglink", ".gnu_debugaltlink",
					     ".note.gnu.build-id" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		asection *section;

		while ((section = bfd_get_section_by_name(abfd, names[i])))
			bfd_rename_section(section, "*hidden*");
	}
	abfd->build_id = NULL;
}

/* What identifies the right debug file. */
struct image_fit {
	const struct bfd_build_id *id; /* or NULL; then */
	unsigned long crc;             /* the checksum of the whole file */
};

static bool image_has_crc(int fd, unsigned long wanted)
{
	unsigned char bytes[8192];
	unsigned long crc = 0;
	off_t at = 0;
	ssize_t n;

	while ((n = pread(fd, bytes, sizeof(bytes), at)) > 0) {
		crc = bfd_calc_gnu_debuglink_crc32(crc, bytes, (bfd_size_type)n);
		at += n;
	}
	return n == 0 && crc == wanted;
}

static bool image_has_id(const char *path, int fd, const struct bfd_build_id *wanted)
{
	bfd *abfd = image_open_descriptor(path, fd);
	bool same = abfd && image_check_format(abfd) && abfd->build_id &&
		    abfd->build_id->size == wanted->size &&
		    memcmp(abfd->build_id->data, wanted->data, wanted->size) == 0;

	if (abfd)
		bfd_close(abfd);
	return same;
}

/* Keeps the file at this path open if it belongs to the image, and returns whether it does. */
static bool image_try_debug(struct image *image, const struct image_fit *fit, char *path)
{
	struct stat st;
	int fd = file_open_named(path, &st);

	if (fd >= 0 && !file_is_hollow(&st) &&
	    (fit->id ? image_has_id(path, fd, fit->id) : image_has_crc(fd, fit->crc))) {
		image->debug_fd = fd;
		image->debug_path = path;
		return true;
	}
	if (fd >= 0)
		close(fd);
	if (fd >= 0 && !image->other_debug)
		image->other_debug = path;
	else
		free(path);
	return false;
}

/* Does the same for a path that is put together from parts; no part is NULL. */
static bool image_try_parts(struct image *image, const struct image_fit *fit, const char *root,
			    const char *directory, const char *below, const char *name)
{
	size_t size = strlen(root) + strlen(directory) + strlen(below) + strlen(name) + 1;
	char *path = malloc(size);

	if (!path)
		return false;
	snprintf(path, size, "%s%s%s%s", root, directory, below, name);
	return image_try_debug(image, fit, path);
}

/* Returns the directory of a path with its final slash, to be freed. */
static char *image_directory(const char *path)
{
	return strndup(path, (size_t)(path_base(path) - path));
}

/* Tries the directory of the image, then the same directory below each root. */
static void image_try_link(struct image *image)
{
	const struct image_fit fit = { .crc = image->link_crc };
	char *real = realpath(bfd_get_filename(image->bfd), NULL);
	char *beside = image_directory(bfd_get_filename(image->bfd));
	char *below = real ? image_directory(real) : strdup("/");
	bool found = !beside || !below ||
		     image_try_parts(image, &fit, beside, "", "", image->link) ||
		     image_try_parts(image, &fit, beside, ".debug/", "", image->link);
	const char *root;

	for (size_t i = 0; !found && (root = debug_places_root(image->places, i)); i++)
		found = image_try_parts(image, &fit, root, "", below, image->link) ||
			image_try_parts(image, &fit, root, "/usr", below, image->link);
	free(below);
	free(beside);
	free(real);
}

static void image_try_id(struct image *image)
{
	const struct image_fit fit = { .id = image->build_id };
	char *path;

	for (size_t i = 0;
	     fit.id && (path = debug_places_by_id(image->places, i, fit.id->data, fit.id->size));
	     i++) {
		if (image_try_debug(image, &fit, path))
			return;
	}
}

/*
 * Looks once for the debug file that the image names by build id or link, checks that it belongs to
 * the image, and keeps it open. Opens only regular files.
 */
static void image_find_debug(struct image *image)
{
	if (image->has_looked)
		return;
	image->has_looked = true;
	image_try_id(image);
	/* A name with a slash could lead anywhere; no tool writes one. */
	if (image->debug_fd < 0 && image->link && !strchr(image->link, '/'))
		image_try_link(image);
}

bool image_has_debug(struct image *image)
{
	image->has_looked = image->debug_fd >= 0;
	image_find_debug(image);
	return image->debug_fd >= 0;
}

const char *image_other_debug(const struct image *image)
{
	return image->debug_fd < 0 ? image->other_debug : NULL;
}

void image_open_debug(struct image *image)
{
	if (image->debug)
		return;
	image_find_debug(image);
	if (image->debug_fd < 0)
		return;
	image->debug = image_open_descriptor(image->debug_path, image->debug_fd);
	if (image->debug && !image_check_format(image->debug)) {
		bfd_close(image->debug);
		image->debug = NULL;
	}
	if (image->debug)
		image_hide_links(image->debug);
}

size_t image_lacks_shared(struct image *image, unsigned char *id, size_t room)
{
	struct image_file own = image_own_lines(image), debug;
	size_t n = image_has_lines(image) ? debuginfo_lacks(&own, id, room) : 0;

	if (n > 0)
		return n;
	debug = image_debug_lines(image);
	return debug.fd < 0 ? 0 : debuginfo_lacks(&debug, id, room);
}
