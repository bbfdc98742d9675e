/* SPDX-License-Identifier: MIT */
/* Short texts, and lines on stderr. See text.h. */
#include "base/text.h"

#include "base/sandbox.h"
#include "base/sys.h"

struct text text_in(char *buffer, size_t room)
{
	buffer[0] = '\0';
	return (struct text){ buffer, 0, room, false };
}

struct text text_after(char *string, size_t room)
{
	return (struct text){ string, text_length(string), room, false };
}

void text_add_bytes(struct text *text, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (text->length + 1 >= text->room) {
			text->full = true;
			break;
		}
		text->at[text->length++] = bytes[i];
	}
	text->at[text->length] = '\0';
}

size_t text_length(const char *string)
{
	size_t n = 0;

	while (string[n])
		n++;
	return n;
}

void text_add(struct text *text, const char *string)
{
	text_add_bytes(text, string, text_length(string));
}

void text_add_number(struct text *text, uint64_t number)
{
	char digits[20];
	size_t first = sizeof(digits);

	do
		digits[--first] = (char)('0' + number % 10);
	while (number /= 10);
	text_add_bytes(text, digits + first, sizeof(digits) - first);
}

const char *text_last_part(const char *path)
{
	const char *part = path;

	for (; *path; path++)
		if (*path == '/')
			part = path + 1;
	return part;
}

bool text_equal(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

bool text_equal_n(const char *bytes, size_t n, const char *string)
{
	size_t i = 0;

	while (i < n && string[i] && bytes[i] == string[i])
		i++;
	return i == n && !string[i];
}

const char *text_skip(const char *string, const char *prefix)
{
	size_t n = text_length(prefix);

	for (size_t i = 0; i < n; i++)
		if (string[i] != prefix[i])
			return NULL;
	return string + n;
}
static const char *text_reason(long error)
{
	static const struct {
		int number;
		const char *text;
	} reasons[] = {
		{ EACCES, "Permission denied" },
		{ EAGAIN, "Resource temporarily unavailable" },
		{ EBUSY, "Is in use" },
		{ EDQUOT, "Disk quota exceeded" },
		{ EEXIST, "File exists" },
		{ EFBIG, "File too large" },
		{ EINVAL, "Invalid argument" },
		{ EIO, "Input/output error" },
		{ EISDIR, "Is a directory" },
		{ ELOOP, "Is a symbolic link" },
		{ EMFILE, "Too many open files" },
		{ ENAMETOOLONG, "File name too long" },
		{ ENFILE, "Too many open files in system" },
		{ ENOENT, "No such file or directory" },
		{ ENOMEM, "Cannot allocate memory" },
		{ ENOSPC, "No space left on device" },
		{ ENOSYS, "Function not implemented" },
		{ ENOTDIR, "Not a directory" },
		{ ENXIO, "Not a regular file" },
		{ EPERM, "Operation not permitted" },
		{ EROFS, "Read-only file system" },
		{ ESTALE, "Another file has the name" },
	};

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (reasons[i].number == -error)
			return reasons[i].text;
	return NULL;
}

/* How many bytes follow one that begins a character of UTF-8. */
static unsigned text_more_bytes(unsigned char first)
{
	if (first >= 0xf0)
		return first < 0xf5 ? 3 : 0;
	return first >= 0xe0 ? 2 : first >= 0xc2;
}

/* Replaces control characters, which could be commands to a terminal: those of ASCII, of UTF-8
 * after 0xc2, and bytes of 8-bit terminals that are no part of a longer character. */
static void text_remove_controls(struct text *text)
{
	unsigned more = 0; /* bytes of a character that may follow */

	for (size_t i = 0; i < text->length; i++) {
		unsigned char c = (unsigned char)text->at[i];
		unsigned char before = i ? (unsigned char)text->at[i - 1] : 0;
		bool inside = more > 0 && c >= 0x80 && c < 0xc0;

		more = inside ? more - 1 : text_more_bytes(c);
		if (c < ' ' || c == 0x7f || (c >= 0x80 && c < 0xa0 && (!inside || before == 0xc2)))
			text->at[i] = '?';
	}
}

/* What descriptor 2 referred to at the start. */
static struct {
	bool known; /* if false, messages are always written */
	bool open;
	struct sys_file file;
} text_stderr;

/* Whether sys_look() is not available. */
static bool text_cannot_look(long error)
{
	return error == -EPERM || error == -ENOSYS;
}

void text_start(void)
{
	long done = sys_look(2, "", &text_stderr.file);

	text_stderr.known = !text_cannot_look(done);
	text_stderr.open = done == 0;
}

/* Whether descriptor 2 still is what it was at the start. */
static bool text_can_complain(void)
{
	struct sys_file now;
	long done;

	if (!text_stderr.known)
		return true;
	if (!text_stderr.open)
		return false;
	if (sandbox_was_closed())
		done = sys_look_by_stat(2, "", &now);
	else
		done = sys_look(2, "", &now);
	return text_cannot_look(done) || (done == 0 && sys_same_file(&now, &text_stderr.file));
}

void text_complain(const char *what, const char *name, long error)
{
	char line[512];
	struct text text = text_in(line, sizeof(line) - 1);

	text_add(&text, "libgmon: ");
	text_add(&text, what);
	if (name) {
		text_add(&text, " ");
		text_add(&text, name);
	}
	if (error) {
		text_add(&text, ": ");
		if (text_reason(error)) {
			text_add(&text, text_reason(error));
		} else {
			text_add(&text, "error ");
			text_add_number(&text, (uint64_t)-error);
		}
	}
	if (!text_can_complain())
		return;
	text_remove_controls(&text);
	line[text.length] = '\n';
	sys_write(2, line, text.length + 1);
}
