/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loads a.so and b.so, which calls-plugin.c makes, of a directory: once, again at the same place,
 * beside a thread that calls, and in the child of a fork. Prints "NAME CALLS" for each function of
 * theirs to the file `truth` there. Then, if they are
 * there, empty.so and bare.so.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct plugin {
	void *handle;
	void (*run)(int n);
	void (*tell)(long *leaf, long *step);
};

/* Of a and b; children add to them. */
static struct calls {
	long leaf, step;
} * calls;
static const char *directory;

static int open_plugin(struct plugin *plugin, const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s.so", directory, name);
	plugin->handle = dlopen(path, RTLD_LAZY);
	if (!plugin->handle)
		return 0;
	plugin->run = (void (*)(int))dlsym(plugin->handle, "plugin_run");
	plugin->tell = (void (*)(long *, long *))dlsym(plugin->handle, "plugin_tell");
	return 1;
}

static void close_plugin(struct plugin *plugin, struct calls *sum)
{
	long leaf, step;

	plugin->tell(&leaf, &step);
	__atomic_add_fetch(&sum->leaf, leaf, __ATOMIC_RELAXED);
	__atomic_add_fetch(&sum->step, step, __ATOMIC_RELAXED);
	dlclose(plugin->handle);
}

static void use(const char *name, struct calls *sum, int n)
{
	struct plugin plugin;

	if (!open_plugin(&plugin, name))
		exit(9);
	plugin.run(n);
	close_plugin(&plugin, sum);
}

/* A thread that is there before a library has counts for it, too. */
static int stage;
static struct plugin shared;

static void *early_thread(void *nothing)
{
	while (!__atomic_load_n(&stage, __ATOMIC_ACQUIRE))
		usleep(1000);
	shared.run(1000);
	return nothing;
}

static void beside_a_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, early_thread, NULL))
		exit(9);
	if (!open_plugin(&shared, "b"))
		exit(9);
	__atomic_store_n(&stage, 1, __ATOMIC_RELEASE);
	shared.run(500);
	pthread_join(thread, NULL);
	close_plugin(&shared, &calls[1]);
}

static void in_child(void)
{
	pid_t child = fork();

	if (child == 0) {
		use("b", &calls[1], 200);
		exit(0);
	}
	waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
	struct plugin bare;
	char path[4096];
	FILE *truth;

	(void)argc;
	directory = argv[1];
	calls = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < 20; i++)
		use(i % 3 ? "a" : "b", &calls[i % 3 == 0], 10 * i);
	beside_a_thread();
	in_child();
	snprintf(path, sizeof(path), "%s/empty.so", directory);
	dlopen(path, RTLD_NOW);
	if (open_plugin(&bare, "bare"))
		bare.run(5);
	snprintf(path, sizeof(path), "%s/truth", directory);
	truth = fopen(path, "w");
	for (int i = 0; i < 2; i++)
		fprintf(truth, "%c_leaf %ld\n%c_step %ld\n", 'a' + i, calls[i].leaf, 'a' + i,
			calls[i].step);
	return fclose(truth) ? 1 : 6;
}
