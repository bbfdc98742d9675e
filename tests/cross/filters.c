/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * filters: prints what syscall() does with all of its seven arguments, and whether there is a file
 * named profile before and after it is asked for a filter of system calls, which is refused.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *profile(void)
{
	return access("profile", F_OK) == 0 ? "profile" : "none";
}

int main(void)
{
	static const short nothing[64]; /* a program of no instructions */
	char got[6] = "";
	int64_t offset = 2;
	int file = open("digits", O_RDWR | O_CREAT | O_TRUNC, 0666), ends[2];
	long n, m;

	if (file < 0 || pipe(ends) || write(file, "0123456789", 10) != 10)
		return 1;
	n = syscall(SYS_splice, file, &offset, ends[1], NULL, 5L, 0);
	if (read(ends[0], got, 5) != 5)
		return 2;
	errno = 0;
	m = syscall(SYS_splice, file, &offset, ends[1], NULL, 5L, ~0);
	printf("%ld %s %ld, %ld %s, ", n, got, (long)offset, m,
	       errno == EINVAL ? "EINVAL" : "another error");
	printf("%s", profile());
	m = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, nothing);
	printf(", %ld, %s\n", m, profile());
	return 0;
}
