/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/line/versus_keys.h"

#include "run/line/option_keys.h"

#include <libiberty/libiberty.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct keys versus_keys = { "--", "versus", option_keys, OPTION_KEYS };

/* Whether a text begins with one of the keys. */
static bool versus_keys_begin(const char *text)
{
	size_t n = strcspn(text, "=,");

	for (int key = KEY_VERSUS_RUNS; key <= KEY_VERSUS_LABEL; key++) {
		if (strlen(option_keys[key].name) == n &&
		    strncmp(option_keys[key].name, text, n) == 0)
			return true;
	}
	return false;
}

/* Cuts the command off the beginning of a text. Returns the keys after it, or NULL. */
static char *versus_keys_cut(char *text)
{
	char *comma = strchr(text, ',');
	bool words = text[strcspn(text, " \t\n")] != '\0';

	while (comma && words && !versus_keys_begin(comma + 1))
		comma = strchr(comma + 1, ',');
	if (!comma)
		return NULL;
	*comma = '\0';
	return comma + 1;
}

/* Splits the command into words, in mem. 0, or -1: there is none. */
static int versus_keys_split(struct experiment_request *request, const char *text,
			     struct arena *mem)
{
	char **words = buildargv(text);
	size_t n = 0;

	while (words && words[n])
		n++;
	request->command = arena_array(mem, char *, n + 1);
	for (size_t i = 0; i < n; i++)
		request->command[i] = arena_strndup(mem, words[i], strlen(words[i]));
	freeargv(words);
	return n > 0 && *request->command[0] ? 0 : -1;
}

/* Reads PERCENT or FUNCTION:PERCENT. Colons before the last belong to the function. */
static int versus_keys_limit(struct experiment_request *request, const struct keys_words *words,
			     const char *value)
{
	const char *colon = strrchr(value, ':'), *number = colon ? colon + 1 : value;
	struct experiment_limit limit = { NULL, 0.0 };
	char *end;

	limit.percent = strtod(number, &end);
	if (end == number || *end || !(limit.percent >= 0.0 && limit.percent <= 1e6) ||
	    colon == value)
		return keys_refuse(words, "fail", value, option_keys[KEY_VERSUS_FAIL].expected);
	if (colon)
		limit.function = arena_strndup(words->mem, value, (size_t)(colon - value));
	array_push(words->mem, &request->limits) = limit;
	return 0;
}

int versus_keys_parse(struct experiment_request *request, const char *text, struct arena *mem,
		      struct diag *diag)
{
	char *command = arena_strndup(mem, text, strlen(text));
	struct keys_words words = { &versus_keys, versus_keys_cut(command), mem, diag };
	struct keys_value value;
	int key;

	*request = (struct experiment_request){ .wanted = true, .level = 95.0 };
	if (versus_keys_split(request, command, mem) < 0) {
		diag_error(diag, "--versus needs the program to compare with: --versus=OLD --run "
				 "NEW [ARGUMENT...]");
		return -1;
	}
	while ((key = keys_next(&words, &value)) >= 0) {
		if (key == KEY_VERSUS_RUNS)
			request->runs = (uint32_t)value.count;
		else if (key == KEY_VERSUS_SECONDS)
			request->seconds = value.share;
		else if (key == KEY_VERSUS_OUTPUT)
			request->ignores = value.count == 1;
		else if (key == KEY_VERSUS_LEVEL)
			request->level = value.share;
		else if (key == KEY_VERSUS_SEED)
			request->seed = value.count;
		else if (key == KEY_VERSUS_LABEL)
			request->label = value.text;
		if (key == KEY_VERSUS_FAIL && versus_keys_limit(request, &words, value.text) < 0)
			return -1;
	}
	if (request->runs == 0 && !(request->seconds > 0.0))
		request->runs = EXPERIMENT_USUAL_PAIRS;
	return key == KEYS_END ? 0 : -1;
}
