/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A call-dense program: walks the tree of an expression, one call a node. Prints the seconds of CPU
 * time it took and, on stderr, the result.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum kind { NUMBER, VARIABLE, ADD, MULTIPLY, CHOOSE, KINDS };

struct node {
	enum kind kind;
	unsigned value;
	struct node *part[3];
};

static unsigned variables[8];

static unsigned evaluate(const struct node *node);

static unsigned number(const struct node *node)
{
	return node->value;
}

static unsigned variable(const struct node *node)
{
	return variables[node->value & 7];
}

static unsigned add(const struct node *node)
{
	return evaluate(node->part[0]) + evaluate(node->part[1]);
}

static unsigned multiply(const struct node *node)
{
	return evaluate(node->part[0]) * evaluate(node->part[1]);
}

static unsigned choose(const struct node *node)
{
	return evaluate(node->part[evaluate(node->part[0]) & 1 ? 1 : 2]);
}

static unsigned evaluate(const struct node *node)
{
	static unsigned (*const evaluators[KINDS])(const struct node *) = {
		[NUMBER] = number,     [VARIABLE] = variable, [ADD] = add,
		[MULTIPLY] = multiply, [CHOOSE] = choose,
	};

	return evaluators[node->kind](node);
}

static unsigned random_bits(unsigned *state)
{
	*state = *state * 1103515245 + 12345;
	return *state >> 16;
}

static struct node *grow(int depth, unsigned *state)
{
	struct node *node = calloc(1, sizeof(*node));

	if (!node)
		exit(1);
	node->value = random_bits(state);
	node->kind = depth == 0 ? random_bits(state) % 2 : ADD + random_bits(state) % 3;
	for (int i = 0; depth > 0 && i < 3; i++)
		node->part[i] = grow(depth - 1, state);
	return node;
}

int main(void)
{
	unsigned state = 42;
	unsigned sum = 0;
	struct node *tree = grow(9, &state);
	clock_t start = clock();

	for (int i = 0; i < 15000; i++) {
		variables[i & 7] = sum;
		sum = sum * 31 + evaluate(tree);
	}
	printf("%.4f\n", (double)(clock() - start) / CLOCKS_PER_SEC);
	fprintf(stderr, "%u\n", sum);
	return 0;
}
