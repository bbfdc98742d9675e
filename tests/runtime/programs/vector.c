/* SPDX-License-Identifier: MIT */
/* As Go's run-time system does: walks along the arguments and the environment to the auxiliary
 * vector. Status 0: the size of a page is there. */
#include <elf.h>
#include <link.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char **at = argv + argc + 1;
	const ElfW(auxv_t) * vector;

	while (*at)
		at++;
	vector = (const void *)(at + 1);
	while (vector->a_type != AT_NULL && vector->a_type != AT_PAGESZ)
		vector++;
	return vector->a_type == AT_PAGESZ && vector->a_un.a_val == (unsigned long)getpagesize()
		       ? 0
		       : 1;
}
