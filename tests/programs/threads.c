/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of the Mandelbrot set, computed by four threads that take them from a common counter.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, WIDTH = 220, LIMIT = 120 };

struct job {
	pthread_mutex_t lock;
	int next, height;
	unsigned long inside;
};

static int take_row(struct job *job)
{
	int row;

	pthread_mutex_lock(&job->lock);
	row = job->next < job->height ? job->next++ : -1;
	pthread_mutex_unlock(&job->lock);
	return row;
}

static int steps_to_escape(double x, double y)
{
	double re = 0, im = 0;
	int steps = 0;

	while (steps < LIMIT && re * re + im * im < 4) {
		double t = re * re - im * im + x;

		im = 2 * re * im + y;
		re = t;
		steps++;
	}
	return steps;
}

static unsigned long compute_row(const struct job *job, int row)
{
	unsigned long inside = 0;

	for (int column = 0; column < WIDTH; column++)
		if (steps_to_escape(3.0 * column / WIDTH - 2.2, 2.4 * row / job->height - 1.2) ==
		    LIMIT)
			inside++;
	return inside;
}

static void add_result(struct job *job, unsigned long inside)
{
	pthread_mutex_lock(&job->lock);
	job->inside += inside;
	pthread_mutex_unlock(&job->lock);
}

static void *work(void *arg)
{
	struct job *job = arg;

	for (int row = take_row(job); row >= 0; row = take_row(job))
		add_result(job, compute_row(job, row));
	return NULL;
}

int main(int argc, char **argv)
{
	struct job job = { .lock = PTHREAD_MUTEX_INITIALIZER };
	pthread_t thread[THREADS];

	job.height = 1600 * (argc > 1 ? atoi(argv[1]) : 1);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, work, &job) != 0)
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	printf("%lu\n", job.inside);
	return 0;
}
