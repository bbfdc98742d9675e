/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/line/orderkeys.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char key_list[] = "by=RULE, all, min=CALLS, limit=BYTES or strip-suffixes";

static int orderkeys_wrong(const char *key, const char *value, const char *expected,
			   struct diag *diag)
{
	diag_error(diag, "--order: %s must be %s, not '%s'", key, expected, value ? value : "");
	return -1;
}

static int orderkeys_style(struct order_request *request, const char *word, struct diag *diag)
{
	for (int i = LINKER_NONE + 1; i < LINKER_STYLES; i++) {
		if (strcmp(linker_style_name((enum linker_style)i), word) == 0) {
			request->style = (enum linker_style)i;
			request->placement.arcs = i == LINKER_LLD_CALLGRAPH;
			return 0;
		}
	}
	diag_error(diag,
		   "--order must be lld-callgraph, symbols, apple, gold, ld or ld-script, not '%s'",
		   word);
	return -1;
}

static int orderkeys_rule(enum function_order_rule *rule, const char *value, struct diag *diag)
{
	static const struct {
		const char *name;
		enum function_order_rule rule;
	} rules[] = { { "startup", FUNCTION_ORDER_STARTUP },
		      { "calls", FUNCTION_ORDER_CALLS },
		      { "time", FUNCTION_ORDER_TIME } };

	for (size_t i = 0; value && i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (strcmp(rules[i].name, value) == 0) {
			*rule = rules[i].rule;
			return 0;
		}
	}
	return orderkeys_wrong("by", value, "startup, calls or time", diag);
}

static int orderkeys_number(uint64_t *number, const char *key, const char *value, struct diag *diag)
{
	errno = 0;
	*number = value ? strtoull(value, NULL, 10) : 0;
	if (!value || !*value || value[strspn(value, "0123456789")] || errno)
		return orderkeys_wrong(key, value, "a whole number", diag);
	return 0;
}

static int orderkeys_word(struct order_request *request, char *word, struct diag *diag)
{
	struct function_order_options *placement = &request->placement;
	char *value = strchr(word, '=');

	if (value)
		*value++ = '\0';
	if (strcmp(word, "all") == 0 && !value) {
		placement->all = true;
	} else if (strcmp(word, "strip-suffixes") == 0 && !value) {
		placement->strip_suffixes = true;
	} else if (strcmp(word, "by") == 0) {
		return orderkeys_rule(&placement->rule, value, diag);
	} else if (strcmp(word, "min") == 0) {
		return orderkeys_number(&placement->least_calls, word, value, diag);
	} else if (strcmp(word, "limit") == 0) {
		return orderkeys_number(&placement->most_bytes, word, value, diag);
	} else {
		diag_error(diag, "--order has no key '%s%s%s': expected %s", word, value ? "=" : "",
			   value ? value : "", key_list);
		return -1;
	}
	return 0;
}

/* lld makes an order of the calls itself. */
static int orderkeys_check_calls(const struct order_request *request, struct diag *diag)
{
	const struct function_order_options *placement = &request->placement;
	const char *key = placement->rule != FUNCTION_ORDER_ANY ? "by"
			  : placement->all                      ? "all"
			  : placement->most_bytes > 0           ? "limit"
								: NULL;

	if (!placement->arcs || !key)
		return 0;
	diag_error(diag,
		   "--order=lld-callgraph has no key '%s': it is a list of calls, not an order",
		   key);
	return -1;
}

int orderkeys_parse(struct order_request *request, const char *text, struct arena *mem,
		    struct diag *diag)
{
	char *word = arena_strndup(mem, text, strlen(text)), *end = strchr(word, ',');

	if (request->style != LINKER_NONE) {
		diag_error(diag, "--order can be given once");
		return -1;
	}
	if (end)
		*end++ = '\0';
	if (orderkeys_style(request, word, diag) < 0)
		return -1;
	while (end) {
		word = end;
		end = strchr(word, ',');
		if (end)
			*end++ = '\0';
		if (orderkeys_word(request, word, diag) < 0)
			return -1;
	}
	return orderkeys_check_calls(request, diag);
}
