/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libraries [KEEP | CLOSE [OTHER]]: calls a library it is linked with and one it opens, the latter
 * maybe closing it, and opening another one then, which the kernel puts where it was.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef int callback(int);

int linked_leaf(int i);
int linked_twice(int i);
int linked_calls_back(callback *back, int n);
unsigned long linked_work(unsigned long n);

static int back(int i)
{
	return linked_leaf(i);
}

static void *use(const char *path)
{
	void *library = dlopen(path, RTLD_NOW);
	callback *opened = library ? (callback *)dlsym(library, "opened") : NULL;

	if (!opened) {
		printf("%s\n", dlerror());
		exit(1);
	}
	for (int i = 0; i < 1000; i++)
		opened(i);
	return library;
}

int main(int argc, char **argv)
{
	void *library;

	for (int i = 0; i < 100; i++)
		linked_twice(i);
	linked_calls_back(back, 30);
	linked_work(argc > 1 ? 1000 : 200000000);
	library = use("./libopened.so");
	if (argc > 1)
		dlclose(library);
	if (argc > 2)
		use(argv[2]);
	return 0;
}
