/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --explain: reads what can be read, diagnoses it, and reports the findings. */
#include "config.h"

#include "run/command/command.h"

#include "report/explain.h"
#include "run/command/examine.h"
#include "run/command/steps.h"

static int explain_steps(struct steps *steps)
{
	const struct command *c = steps->c;
	struct session *s = &steps->session;
	const char *missing = input_missing(s->input);
	struct examination found;
	double inlined;

	if (session_read_some(s, !missing) < 0)
		return -1;
	inlined = missing ? 0.0 : session_inlined_share(s).inlined;
	examine_analyze(s, c);
	examine_analysis(&found, s, c, missing, inlined);
	explain_write(&s->analysis, &found.evidence, &found.findings, examine_style(c), c->report,
		      c->mem);
	return found.findings.ncauses > 0 ? COMMAND_CAUSE : 0;
}

int explain_run(const struct command *c)
{
	return steps_run(c, STEPS_ALL_FUNCTIONS, explain_steps);
}
