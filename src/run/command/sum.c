/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/command/sum.h"

#include "io/profile/ext_beside.h"
#include "io/profile/ext_name.h"
#include "io/profile/gmon_write.h"

#include <string.h>

/* Call stacks are left out: they would need a second file. */
static int sum_print(const struct session *s, struct output *out)
{
	if (out->terminal) {
		diag_error(s->diag, "-s -o -: refusing to write binary data to a terminal");
		return -1;
	}
	if (!recorded_is_empty(&s->profile.recorded))
		diag_warn(s->diag, "-s -o -: call stacks are left out: they are a second "
				   "file, which -o FILE writes");
	return gmon_print(&s->profile, s->input->format, out, s->mem);
}

/*
 * The sum contains the data files, so it may replace one of them, but no other file that was read.
 */
int sum_write(struct steps *steps)
{
	const struct session *s = &steps->session;
	const char *name = steps->c->opt->sum ? steps->c->opt->sum : "gmon.sum";
	const char *ext = ext_beside_name(name, s->mem);

	if (strcmp(name, "-") == 0)
		return sum_print(s, steps->c->out);
	if (gmon_write(&s->profile, s->input->format, name, &steps->files.inputs, s->mem, s->diag) <
	    0)
		return -1;
	outfiles_add_written(&steps->files, name);
	if (!recorded_is_empty(&s->profile.recorded))
		outfiles_add_written(&steps->files, ext);
	ext_name_sweep(ext, s->mem);
	return 0;
}

bool sum_is_alone(const struct command *c)
{
	const struct options *opt = c->opt;

	return opt->report.wanted == REPORT_SUM && !opt->trace &&
	       opt->analysis.select.requests.n == 0 && c->exports->n == 0;
}

static int sum_steps(struct steps *steps)
{
	return steps_read(steps) < 0 ? -1 : sum_write(steps);
}

int sum_run(const struct command *c)
{
	return steps_run(c, STEPS_GNU_FUNCTIONS, sum_steps);
}
