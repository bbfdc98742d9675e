/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/session/fetched.h"

#include "base/join.h"

static const char *fetched_why(enum fetch_result result, const struct fetched_words *words)
{
	static const char *const why[] = {
		[FETCH_UNKNOWN] = "no server has it",
		[FETCH_LATE] = "it takes longer than the limit",
		[FETCH_LARGE] = "it is too large",
		[FETCH_SKIPPED] = "skipped",
		[FETCH_FAILED] = "the server failed",
		[FETCH_ABSENT] = "there is no libdebuginfod.so.1",
	};

	if (result == FETCH_GOT)
		return words->wrong;
	return why[result <= FETCH_ABSENT ? result : FETCH_FAILED];
}

static const char *fetched_join(const char *list, const char *name, struct arena *mem)
{
	return list ? JOIN(mem, list, ", ", name) : name;
}

void fetched_add(struct fetched *f, const char *name, enum fetch_result result, bool used,
		 const struct fetched_words *words)
{
	if (result == FETCH_GOT && used) {
		f->got = fetched_join(f->got, name, f->mem);
		f->ngot++;
	} else {
		f->missed = fetched_join(f->missed,
					 JOIN(f->mem, name, " (", fetched_why(result, words), ")"),
					 f->mem);
	}
}

void fetched_say(const struct fetched *f, const struct fetched_words *words, struct diag *diag)
{
	if (f->got)
		diag_note(diag, "debuginfod: %s%s %s fetched%s%s",
			  f->ngot > 1 ? words->many : words->one, f->got,
			  f->ngot > 1 ? "were" : "was", f->missed ? "; not that of " : "",
			  f->missed ? f->missed : "");
	else if (f->missed)
		diag_note(diag, "debuginfod: %s was fetched: not that of %s", words->nothing,
			  f->missed);
}
