/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/line/check_options.h"

#include "report/report.h"

#include <string.h>

int check_options_exports(const export_requests *exports, struct diag *diag)
{
	const char *first = NULL;

	for (size_t i = 0; i < exports->n; i++) {
		const struct export_request *request = &exports->at[i];

		if (!request->file || strcmp(request->file, "-") != 0)
			continue;
		if (first) {
			diag_error(diag, "two exports cannot both go to standard output: %s and %s",
				   first, request->format->name);
			return -1;
		}
		first = request->format->name;
	}
	return 0;
}

/* Whether the sum is the only output that goes to standard output. */
static bool check_options_is_alone(unsigned reports, const export_requests *exports)
{
	for (size_t i = 0; i < exports->n; i++) {
		if (exports->at[i].file && strcmp(exports->at[i].file, "-") == 0)
			return false;
	}
	return reports == REPORT_SUM;
}

int check_options_output(unsigned reports, const char *file, const char **sum, const char **report,
			 export_requests *exports, struct diag *diag)
{
	bool sums = reports & REPORT_SUM;

	if (!file)
		return 0;
	if (!sums && exports->n == 0) {
		*report = file;
		return 0;
	}
	if (exports->n > 0 && !exports->at[0].file) {
		exports->at[0].file = file;
		return 0;
	}
	if (!sums)
		diag_error(diag, "two files for one export: '%s' and '%s'", file,
			   exports->at[0].file);
	else if (strcmp(file, "-") == 0 && !check_options_is_alone(reports, exports))
		diag_error(diag, "-s -o -: nothing else can go to standard output");
	else
		*sum = file;
	return *sum == file ? 0 : -1;
}

int check_options_symbols(bool gnu_symbols, const struct session_input *input, struct diag *diag)
{
	if (!gnu_symbols || !input->program.symbols.all)
		return 0;
	diag_error(diag, "--all-symbols and --gnu-symbols cannot be combined");
	return -1;
}

/* Returns the option that chooses one thread, or a part of the time; NULL: there is none. */
static const char *check_options_part(const struct session_input *input)
{
	return input->thread           ? "--thread-view"
	       : input->range.has_from ? "--from"
	       : input->range.has_to   ? "--to"
				       : NULL;
}

int check_options_times(unsigned reports, const struct session_input *input, struct diag *diag)
{
	const char *report = report_measured_option(reports), *part = check_options_part(input);
	bool ranged = input->range.has_from || input->range.has_to;
	bool other = input->clock && strcmp(input->clock, "cpu") != 0;
	const char *wants = report            ? report
			    : input->measured ? "--measured"
			    : part            ? part
			    : other           ? "--clock"
					      : NULL;

	if (ranged && reports & REPORT_SUM) {
		diag_error(diag, "-s (--sum) and --from or --to cannot be combined");
		return -1;
	}
	if (reports & REPORT_BLAME && part) {
		diag_error(diag,
			   "--blame and %s cannot be combined: who waited for whom is known of "
			   "the whole run, and of all threads",
			   part);
		return -1;
	}
	/* --top lists functions, even where their times are estimated. */
	if (reports & REPORT_TOP && input->program.by_line && !wants) {
		diag_error(diag, "--top and -l (--line) cannot be combined");
		return -1;
	}
	if (input->inlined && input->program.by_line) {
		diag_error(diag, "--inlined and -l (--line) cannot be combined");
		return -1;
	}
	if (!wants || !(input->estimated || input->program.by_line))
		return 0;
	diag_error(diag, "%s and %s cannot be combined", wants,
		   input->estimated ? "--estimated" : "-l (--line)");
	return -1;
}

int check_options_diff(const struct diff_request *diff, const export_requests *exports,
		       const char *other, struct diag *diag)
{
	if (!diff->base)
		return 0;
	if (!other)
		return export_check_compare(exports, diag);
	diag_error(diag, "--diff and %s cannot be combined", other);
	return -1;
}

int check_options_versus(const struct experiment_request *versus, const char *history, bool runs,
			 const export_requests *exports, const char *other, struct diag *diag)
{
	if (!versus->wanted && history) {
		diag_error(diag,
			   "--history needs --versus: gprof --versus=OLD --history=%s --run "
			   "NEW [ARGUMENT...]",
			   history);
		return -1;
	}
	if (!versus->wanted)
		return 0;
	if (!runs)
		diag_error(diag,
			   "--versus needs --run and the new program: gprof --versus=%s "
			   "--run NEW [ARGUMENT...]",
			   versus->command[0]);
	else if (other)
		diag_error(diag, "--versus and %s cannot be combined", other);
	return runs && !other ? export_check_compare(exports, diag) : -1;
}

int check_options_order(const char *mapfile, enum order_kind *order, struct diag *diag)
{
	if (!mapfile)
		return 0;
	if (*order != ORDER_NONE) {
		diag_error(diag,
			   "-r (--function-ordering) and -R (--file-ordering) cannot be combined");
		return -1;
	}
	*order = ORDER_OBJECTS;
	return 0;
}

int check_options_linker(const struct order_request *order, const char *other, struct diag *diag)
{
	if (order->style == LINKER_NONE || !other)
		return 0;
	diag_error(diag, "--order and %s cannot be combined", other);
	return -1;
}
