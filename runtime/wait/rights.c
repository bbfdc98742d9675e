/* SPDX-License-Identifier: MIT */
/* Follows the rights of the first thread. See rights.h, capget(2) and proc(5). */
#include "wait/rights.h"

#include "base/sys.h"
#include "base/text.h"
#include "state.h"

enum { RIGHTS_VERSION = 0x20080522, RIGHTS_STATUS = 4096, RIGHTS_GROUPS = 256 };

struct rights_head {
	uint32_t version;
	int32_t tid;
};

long rights_read(struct rights *rights, int32_t tid)
{
	struct rights_head head = { RIGHTS_VERSION, tid };

	*rights = (struct rights){ { 0, 0, 0, 0, 0, 0 } };
	return SYS2(SYS_capget, &head, rights);
}

static bool rights_same(const struct rights *a, const struct rights *b)
{
	for (int i = 0; i < 6; i++)
		if (a->word[i] != b->word[i])
			return false;
	return true;
}

/* Returns the rest of the line that begins with a name; NULL: there is none. */
static const char *rights_line(const char *status, const char *name)
{
	for (const char *at = status; *at; at++) {
		size_t i = 0;

		while ((at == status || at[-1] == '\n') && name[i] && at[i] == name[i])
			i++;
		if (i && !name[i])
			return at + i;
	}
	return NULL;
}

/* Reads the numbers on a line and returns how many there are; -1: more than `room`. */
static int rights_numbers(const char *line, uint32_t *to, int room)
{
	int n = 0;

	while (line && *line && *line != '\n') {
		uint32_t number = 0;

		if (*line < '0' || *line > '9') {
			line++;
			continue;
		}
		for (; *line >= '0' && *line <= '9'; line++)
			number = number * 10 + (uint32_t)(*line - '0');
		if (n == room)
			return -1;
		to[n++] = number;
	}
	return n;
}

#ifdef SYS_setresuid32
enum { SETGROUPS = SYS_setgroups32, SETRESGID = SYS_setresgid32, SETRESUID = SYS_setresuid32 };
#else
enum { SETGROUPS = SYS_setgroups, SETRESGID = SYS_setresgid, SETRESUID = SYS_setresuid };
#endif

/* Groups are set first: another user may have no right to set them. */
static bool rights_take(const char *status)
{
	uint32_t user[4], group[4], groups[RIGHTS_GROUPS];
	int n = rights_numbers(rights_line(status, "Groups:"), groups, RIGHTS_GROUPS);

	if (n < 0 || rights_numbers(rights_line(status, "Uid:"), user, 4) != 4 ||
	    rights_numbers(rights_line(status, "Gid:"), group, 4) != 4)
		return false;
	SYS2(SETGROUPS, n, groups); /* refused if there is nothing to change */
	return !sys_failed(SYS3(SETRESGID, group[0], group[1], group[2])) &&
	       !sys_failed(SYS3(SETRESUID, user[0], user[1], user[2]));
}

bool rights_follow(struct rights *known)
{
	struct rights_head own = { RIGHTS_VERSION, 0 };
	struct rights now;
	char name[40], status[RIGHTS_STATUS];
	struct text text = text_in(name, sizeof(name));

	rights_read(&now, gmon.pid);
	if (rights_same(&now, known))
		return true;
	*known = now;
	text_add(&text, "/proc/self/task/");
	text_add_number(&text, (uint32_t)gmon.pid);
	text_add(&text, "/status");
	return sys_read_text(AT_FDCWD, name, status, sizeof(status)) && rights_take(status) &&
	       !sys_failed(SYS2(SYS_capset, &own, &now));
}
