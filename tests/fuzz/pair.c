/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fuzz target: a program and its profile, through all of gprof.
 *
 * Input: a byte that chooses one of mutant_options ('a' is the first), the program, the line
 * "--profile--", and the profile. A part of the mutations knows the structure of the files; with
 * DEBUG_ONLY, as the target `lines` is built, they are in the debug information.
 */
#define _GNU_SOURCE 1
#include "fuzz.h"

#include "../tools/mutate.h"

#include <string.h>
#include <unistd.h>

#ifdef DEBUG_ONLY
enum { debug_only = true };
#else
enum { debug_only = false };
#endif

static const char border[] = "\n--profile--\n";

enum { MAX_WORDS = 24, LINE = 200, BORDER = sizeof(border) - 1 };

/* The parts of an input behind its first byte. */
struct pair {
	const uint8_t *image, *profile;
	size_t nimage, nprofile;
};

static struct pair split(const uint8_t *data, size_t size)
{
	const uint8_t *at = size > 1 ? memmem(data + 1, size - 1, border, BORDER) : NULL;
	struct pair p = { .image = data + 1, .nimage = size > 0 ? size - 1 : 0 };

	if (at) {
		p.nimage = (size_t)(at - p.image);
		p.profile = at + BORDER;
		p.nprofile = (size_t)(data + size - p.profile);
	}
	return p;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	struct prng r = { seed };
	struct pair p = split(data, size);
	struct bytes image = { 0 }, profile = { 0 };
	unsigned changes = 1 + prng_below(&r, 4);
	uint8_t options = size > 0 ? data[0] : 'a';

	if (prng_chance(&r, 20))
		return LLVMFuzzerMutate(data, size, max);
	if (p.nimage < 1 || prng_chance(&r, 5))
		options = (uint8_t)('a' + prng_below(&r, mutant_noptions));
	bytes_add(&image, p.image, p.nimage);
	if (p.nprofile > 0)
		bytes_add(&profile, p.profile, p.nprofile);
	for (unsigned i = 0; i < changes; i++) {
		mutate_image(&image, debug_only, &r);
		profile.big = image.big;
		if (!debug_only && prng_chance(&r, 30))
			mutate_profile(&profile, image.n > 4 && image.data[4] == 1 ? 4 : 8, &r);
	}
	bytes_add(&image, border, BORDER);
	if (profile.n > 0)
		bytes_add(&image, profile.data, profile.n);
	size = image.n + 1 < max ? image.n + 1 : max;
	if (size > 0) {
		data[0] = options;
		memcpy(data + 1, image.data, size - 1);
	}
	bytes_free(&image);
	bytes_free(&profile);
	return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pair p = split(data, size);
	char line[LINE], image_path[FD_PATH], profile_path[FD_PATH];
	char *words[MAX_WORDS + 4] = { (char *)"gprof" };
	unsigned n;
	int image, profile;

	if (size < 1)
		return 0;
	image = memory_file(p.image, p.nimage);
	profile = memory_file(p.nprofile ? p.profile : data, p.nprofile);
	strcpy(line, mutant_options[(unsigned)(data[0] - 'a') % mutant_noptions]);
	n = 1 + split_words(line, words + 1, MAX_WORDS);
	fd_path(image_path, image);
	fd_path(profile_path, profile);
	words[n++] = image_path;
	words[n++] = profile_path;
	whole(words);
	close(image);
	close(profile);
	return 0;
}
