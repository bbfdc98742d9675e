/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * randcalls SEED NCALLS: a C program of pairs of functions, one of which calls the other with
 * random kinds of arguments, which the other compares with what it knows was passed. The types and
 * conventions are those of tests/runtime/registers.h.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "prng.h"

enum { MAX_ARGUMENTS = 14, MAX_MORE = 8 };

struct type {
	const char *name;
	bool general;  /* in general registers */
	bool variadic; /* may stand for "..." */
};

/* clang 14 takes `mixed` from a wrong place of "..." when one kind of register is used up. */
static const struct type types[] = {
	{ "int32", true, true },    { "int64", true, true },    { "ptr", true, true },
	{ "int8", true, false },    { "int16", true, false },   { "wide", true, false },
	{ "small", true, false },   { "large", true, true },    { "flt", false, false },
	{ "dbl", false, true },     { "longdbl", false, true }, { "pair", false, false },
	{ "vec8", false, false },   { "vec16", false, true },   { "dvec16", false, true },
	{ "vec32", false, false },  { "vec64", false, false },  { "mixed", false, false },
	{ "floats", false, false }, { "doubles", false, true }, { "vectors", false, false },
};

enum { TYPES = sizeof(types) / sizeof(types[0]) };

struct value {
	const struct type *type;
	unsigned long long n;
};

struct call {
	int number;
	struct value result; /* no type: void */
	struct value outer;  /* of a nested function: a variable outside, before and after */
	unsigned long long outer_after;
	struct value argument[MAX_ARGUMENTS + MAX_MORE];
	int nnamed, nmore; /* more: variadic */
	bool nested, realigned, general;
	const char *convention;
};

static struct prng prng;

static unsigned below(unsigned n)
{
	return (unsigned)prng_below(&prng, n);
}

static struct value make_value(bool general, bool variadic)
{
	struct value value = { &types[below(TYPES)], prng_next(&prng) >> (1 + below(40)) };

	while ((general && !value.type->general) || (variadic && !value.type->variadic))
		value.type = &types[below(TYPES)];
	return value;
}

static struct call make_call(int number)
{
	static const char *const conventions[] = { "IN_ONE", "IN_TWO", "IN_THREE", "IN_FAST" };
	struct call call = { .number = number };

	call.nested = below(5) == 0;
	call.realigned = below(4) == 0;
	call.general = below(5) == 0;
	call.nnamed = (int)below(4) ? (int)below(6) : (int)below(MAX_ARGUMENTS + 1);
	if (call.nnamed && below(4) == 0)
		call.nmore = 1 + (int)below(MAX_MORE);
	call.convention = call.nmore || below(2) ? "" : conventions[below(4)];
	if (below(5))
		call.result = make_value(call.general, false);
	call.outer = make_value(true, false);
	call.outer_after = prng_next(&prng) >> 3;
	for (int i = 0; i < call.nnamed + call.nmore; i++)
		call.argument[i] = make_value(call.general, i >= call.nnamed);
	return call;
}

static void print_made(struct value value)
{
	printf("MAKE_%s(%lluULL)", value.type->name, value.n);
}

static void print_check(const struct call *call, int index, struct value value, const char *got)
{
	printf("\tCHECK(%d, %d, %s, %s, %lluULL);\n", call->number, index, value.type->name, got,
	       value.n);
}

static void print_head(const struct call *call, bool prototype)
{
	printf("CALLED %s %s %s callee_%d(", call->convention, call->general ? "GENERAL" : "",
	       call->result.type ? call->result.type->name : "void", call->number);
	for (int i = 0; i < call->nnamed; i++)
		printf("%s%s a%d", i ? ", " : "", call->argument[i].type->name, i);
	printf("%s)%s\n", call->nmore ? ", ..." : call->nnamed ? "" : "void", prototype ? ";" : "");
}

static void print_callee(const struct call *call)
{
	char name[16];

	print_head(call, false);
	printf("{\n");
	if (call->realigned)
		printf("\tREALIGNED(%d);\n", call->number);
	for (int i = 0; i < call->nnamed; i++) {
		snprintf(name, sizeof(name), "a%d", i);
		print_check(call, i, call->argument[i], name);
	}
	if (call->nmore) {
		printf("\tva_list more;\n\tva_start(more, a%d);\n", call->nnamed - 1);
		for (int i = call->nnamed; i < call->nnamed + call->nmore; i++) {
			const char *type = call->argument[i].type->name;

			printf("\t%s a%d = va_arg(more, %s);\n", type, i, type);
			snprintf(name, sizeof(name), "a%d", i);
			print_check(call, i, call->argument[i], name);
		}
		printf("\tva_end(more);\n");
	}
	if (call->nested) {
		print_check(call, -2, call->outer, "outer");
		printf("\touter = MAKE_%s(%lluULL);\n", call->outer.type->name, call->outer_after);
	}
	if (call->result.type) {
		printf("\treturn ");
		print_made(call->result);
		printf(";\n");
	}
	printf("}\n");
}

static void print_caller(const struct call *call)
{
	if (!call->nested) {
		printf("static ");
		print_callee(call);
	}
	printf("static void caller_%d(void)\n{\n", call->number);
	if (call->nested) {
		printf("\t%s outer = ", call->outer.type->name);
		print_made(call->outer);
		printf(";\n\tauto ");
		print_head(call, true);
		print_callee(call);
		printf("\t");
	} else {
		printf("\t__typeof__(callee_%d) *volatile callee = callee_%d;\n\t", call->number,
		       call->number);
	}
	if (call->result.type)
		printf("%s result = ", call->result.type->name);
	if (call->nested)
		printf("callee_%d(", call->number);
	else
		printf("callee(");
	for (int i = 0; i < call->nnamed + call->nmore; i++) {
		printf("%s", i ? ", " : "");
		print_made(call->argument[i]);
	}
	printf(");\n");
	if (call->result.type)
		print_check(call, -1, call->result, "result");
	if (call->nested)
		print_check(call, -2, (struct value){ call->outer.type, call->outer_after },
			    "outer");
	printf("}\n\n");
}

int main(int argc, char **argv)
{
	int n = argc == 3 ? atoi(argv[2]) : 0;

	if (n < 1) {
		fprintf(stderr, "usage: randcalls SEED NCALLS\n");
		return 2;
	}
	prng.state = strtoull(argv[1], NULL, 10);
	printf("#include \"registers.h\"\n\n");
	for (int i = 0; i < n; i++) {
		struct call call = make_call(i);

		if (call.nested)
			printf("#ifndef __clang__\n");
		print_caller(&call);
		if (call.nested)
			printf("#else\nstatic void caller_%d(void)\n{\n}\n#endif\n\n", i);
	}
	printf("static void (*const callers[])(void) = {\n");
	for (int i = 0; i < n; i++)
		printf("\tcaller_%d,\n", i);
	printf("};\n\nint main(void)\n{\n\treturn call_all(callers, %d);\n}\n", n);
	return 0;
}
