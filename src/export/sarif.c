/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What became slower in the Static Analysis Results Interchange Format, SARIF 2.1.0 (OASIS, 2020),
 * which code hosts and editors show at the source line. Linear.
 */
#include "config.h"

#include "export/slowdowns.h"

#include "base/json.h"

#include <string.h>

enum { MOST_RESULTS = 1000 };

static const struct sarif_rule {
	const char *id, *level, *text;
} sarif_rules[SLOWDOWN_KINDS] = {
	[SLOWDOWN_ANSWER] = { "another-answer", "error",
			      "The new program writes something else or has another exit status." },
	[SLOWDOWN_TOTAL] = { "slower", "warning", "The program takes longer than before." },
	[SLOWDOWN_FUNCTION] = { "slower-function", "warning",
				"The function takes longer than before." },
};

/* A path as a URI: all bytes that may not be there as %XX. */
static const char *sarif_uri(const char *path, struct arena *mem)
{
	static const char hex[] = "0123456789ABCDEF";
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				    "-._~/+@=,";
	char *uri = arena_array(mem, char, 3 * strlen(path) + sizeof("file://")), *to = uri;

	if (*path == '/') {
		memcpy(to, "file://", 7);
		to += 7;
	}
	for (; *path; path++) {
		if (strchr(plain, *path)) {
			*to++ = *path;
			continue;
		}
		*to++ = '%';
		*to++ = hex[(unsigned char)*path >> 4];
		*to++ = hex[(unsigned char)*path & 15];
	}
	*to = '\0';
	return uri;
}

static void sarif_message(struct json *to, const char *key, const char *text)
{
	json_begin_object(to, key);
	json_string(to, "text", text);
	json_end(to);
}

static void sarif_tool(struct json *to)
{
	json_begin_object(json_line(to), "tool");
	json_begin_object(to, "driver");
	json_string(to, "name", "gprof");
	json_string(to, "version", PACKAGE_VERSION);
	json_begin_array(to, "rules");
	for (int i = 0; i < SLOWDOWN_KINDS; i++) {
		json_begin_object(json_line(to), NULL);
		json_string(to, "id", sarif_rules[i].id);
		sarif_message(to, "shortDescription", sarif_rules[i].text);
		json_end(to);
	}
	json_end(to);
	json_end(to);
	json_end(to);
}

static void sarif_location(struct json *to, const struct slowdown *one, struct arena *mem)
{
	json_begin_array(to, "locations");
	json_begin_object(to, NULL);
	if (one->file) {
		json_begin_object(to, "physicalLocation");
		json_begin_object(to, "artifactLocation");
		json_string(to, "uri", sarif_uri(one->file, mem));
		json_end(to);
		if (one->line > 0) {
			json_begin_object(to, "region");
			json_uint(to, "startLine", one->line);
			json_end(to);
		}
		json_end(to);
	}
	json_begin_array(to, "logicalLocations");
	json_begin_object(to, NULL);
	json_string(to, "name", one->function);
	json_string(to, "kind", "function");
	json_end(to);
	json_end(to);
	json_end(to);
	json_end(to);
}

static void sarif_result(struct json *to, const struct slowdown *one, struct arena *mem)
{
	json_begin_object(json_line(to), NULL);
	json_string(to, "ruleId", sarif_rules[one->kind].id);
	json_uint(to, "ruleIndex", one->kind);
	json_string(to, "level", sarif_rules[one->kind].level);
	sarif_message(to, "message", one->text);
	if (one->function)
		sarif_location(to, one, mem);
	if (one->percent > 0.0) {
		json_begin_object(to, "properties");
		json_format(to, "percent", "%.9g", one->percent);
		json_end(to);
	}
	json_end(to);
}

static void sarif_write(const struct export_view *e, struct output *out)
{
	struct slowdowns list = slowdowns_list(e, MOST_RESULTS);
	struct json to = { .out = out };

	json_begin_object(&to, NULL);
	json_string(&to, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
	json_string(&to, "version", "2.1.0");
	json_begin_array(json_line(&to), "runs");
	json_begin_object(&to, NULL);
	sarif_tool(&to);
	json_begin_array(json_line(&to), "results");
	for (uint32_t i = 0; i < list.n; i++)
		sarif_result(&to, &list.at[i], e->mem);
	json_end(json_line(&to));
	if (list.verdict) {
		json_begin_object(json_line(&to), "properties");
		json_string(&to, "verdict", list.verdict);
		json_end(&to);
	}
	json_end(&to);
	json_end(json_line(&to));
	json_end(&to);
	output_char(out, '\n');
}

const struct exporter export_sarif = {
	.compares = true,
	.compares_only = true,
	.write = sarif_write,
};
