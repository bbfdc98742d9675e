/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parses an arithmetic expression into a tree, differentiates, simplifies and evaluates it: one
 * cycle of calls in the parser, self recursion in the passes over the tree.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
	char op; /* '+', '-', '*', 'n' number, 'x' variable */
	double value;
	struct node *left, *right;
};

struct pool {
	struct node *node;
	size_t used, room;
};

static struct node *parse_sum(const char **text, struct pool *pool);

static struct node *make(struct pool *pool, char op, double value, struct node *left,
			 struct node *right)
{
	struct node *n = &pool->node[pool->used++];

	if (pool->used == pool->room)
		abort();
	*n = (struct node){ .op = op, .value = value, .left = left, .right = right };
	return n;
}

static void skip_blanks(const char **text)
{
	while (isspace((unsigned char)**text))
		++*text;
}

static struct node *parse_number(const char **text, struct pool *pool)
{
	char *end;
	double value = strtod(*text, &end);

	*text = end;
	return make(pool, 'n', value, NULL, NULL);
}

static struct node *parse_factor(const char **text, struct pool *pool)
{
	struct node *n;

	skip_blanks(text);
	if (**text == '(') {
		++*text;
		n = parse_sum(text, pool);
		skip_blanks(text);
		++*text;
		return n;
	}
	if (**text == 'x') {
		++*text;
		return make(pool, 'x', 0, NULL, NULL);
	}
	return parse_number(text, pool);
}

static struct node *parse_product(const char **text, struct pool *pool)
{
	struct node *n = parse_factor(text, pool);

	for (skip_blanks(text); **text == '*'; skip_blanks(text)) {
		++*text;
		n = make(pool, '*', 0, n, parse_factor(text, pool));
	}
	return n;
}

static struct node *parse_sum(const char **text, struct pool *pool)
{
	struct node *n = parse_product(text, pool);

	for (skip_blanks(text); **text == '+' || **text == '-'; skip_blanks(text)) {
		char op = *(*text)++;

		n = make(pool, op, 0, n, parse_product(text, pool));
	}
	return n;
}

struct node *derive(struct node *n, struct pool *pool)
{
	switch (n->op) {
	case 'n':
		return make(pool, 'n', 0, NULL, NULL);
	case 'x':
		return make(pool, 'n', 1, NULL, NULL);
	case '*':
		return make(pool, '+', 0, make(pool, '*', 0, derive(n->left, pool), n->right),
			    make(pool, '*', 0, n->left, derive(n->right, pool)));
	default:
		return make(pool, n->op, 0, derive(n->left, pool), derive(n->right, pool));
	}
}

static int is_number(const struct node *n, double value)
{
	return n->op == 'n' && n->value == value;
}

struct node *simplify(struct node *n)
{
	if (!n->left)
		return n;
	n->left = simplify(n->left);
	n->right = simplify(n->right);
	if (n->op == '*' && (is_number(n->left, 0) || is_number(n->right, 1)))
		return n->left;
	if ((n->op == '*' && is_number(n->left, 1)) || (n->op == '+' && is_number(n->left, 0)))
		return n->right;
	return n;
}

double evaluate(const struct node *n, double x)
{
	switch (n->op) {
	case 'n':
		return n->value;
	case 'x':
		return x;
	case '+':
		return evaluate(n->left, x) + evaluate(n->right, x);
	case '-':
		return evaluate(n->left, x) - evaluate(n->right, x);
	default:
		return evaluate(n->left, x) * evaluate(n->right, x);
	}
}

int main(int argc, char **argv)
{
	static struct node nodes[4096];
	const char *formula =
		"(x + 1) * (x - 2) * (3 * x + (4 - x) * (x * x - 0.5)) + 7 * (x + (x * 2))";
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	double sum = 0;

	for (int i = 0; i < 10000 * rounds; i++) {
		struct pool pool = { .node = nodes, .room = sizeof(nodes) / sizeof(*nodes) };
		const char *text = formula;
		struct node *f = simplify(parse_sum(&text, &pool));
		struct node *slope = simplify(derive(f, &pool));

		for (int x = 0; x < 8; x++)
			sum += evaluate(f, x) + evaluate(slope, x);
	}
	printf("%.1f\n", sum);
	return 0;
}
