/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * a.out HOW [DIR]: works for a while, does away with what a recorder may need, works again, and
 * ends with 3; with 77 if the kernel does not allow for it. HOW: nothing, user, root, landlock,
 * files, raw-exec, kill, fork.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "used.h"

enum { REFUSED = 77, WORK_MS = 150, LANDLOCK_ALL = 0x1fff, NOBODY = 65534 };

static volatile unsigned long sink;

__attribute__((noinline)) static void work(void)
{
	clock_t end = clock() + WORK_MS * (CLOCKS_PER_SEC / 1000);

	while (clock() < end)
		for (int i = 0; i < USED_STEPS; i++)
			sink += (unsigned long)i;
}

/* Forbids everything in the file system. */
static int confine(void)
{
	unsigned long long handled = LANDLOCK_ALL;
	long rules = syscall(444, &handled, sizeof(handled), 0);

	return rules < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || syscall(446, rules, 0);
}

static void close_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (atoi(entry->d_name) > 2 && atoi(entry->d_name) != dirfd(dir))
			close(atoi(entry->d_name));
	if (dir)
		closedir(dir);
	for (int fd = 3; fd < 2000; fd++)
		close(fd);
}

static int leave(const char *how, const char *dir)
{
	if (strcmp(how, "user") == 0)
		return setgid(NOBODY) || setuid(NOBODY);
	if (strcmp(how, "root") == 0)
		return chdir(dir) || chroot(".");
	if (strcmp(how, "landlock") == 0)
		return confine();
	if (strcmp(how, "files") == 0)
		close_files();
	return 0;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "nothing";
	char *const next[] = { "sh", "-c", "exit 3", NULL };
	int status;

	work();
	if (leave(how, argc > 2 ? argv[2] : "."))
		return REFUSED;
	work();
	if (strcmp(how, "kill") == 0)
		syscall(SYS_kill, getpid(), 9);
	if (strcmp(how, "raw-exec") == 0)
		syscall(SYS_execve, "/bin/sh", next, NULL);
	if (strcmp(how, "fork") == 0) {
		if (fork() == 0) {
			work();
			_exit(0);
		}
		wait(&status);
	}
	return 3;
}
