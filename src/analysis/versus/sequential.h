/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks at data while more are collected, without being wrong more often for that. */
#ifndef ANALYSIS_VERSUS_SEQUENTIAL_H
#define ANALYSIS_VERSUS_SEQUENTIAL_H

#include <stdbool.h>
#include <stdint.h>

enum { SEQUENTIAL_CELLS = 256 };

/*
 * The looks that were taken at a sum of independent normal values. The caller sets alpha; all else
 * is zero at the start.
 */
struct sequential {
	double alpha;  /* the probability that any look says "a difference" where there is none */
	double spent;  /* how much of it the looks so far have used */
	double values; /* how many values there were at the last look; 0: none was taken */
	double bound;  /* of the sum at the last look, below which one goes on */
	/* the density of sums between -bound and bound that no look has stopped at */
	double density[SEQUENTIAL_CELLS + 1];
};

/*
 * Takes a look at `values` values, more than at the last one. `fraction`, 0 to 1, is how much of
 * what is planned has been done; 1 is the last look. Returns the probability with which chance may
 * go beyond the bound of this look: a difference is found if its two-sided p-value, computed as if
 * there was no other look, is not above it; 0: nothing can be found yet.
 *
 * By the error-spending method of Lan and DeMets (Biometrika 70:659, 1983), with the spending
 * function alpha fraction^2 (Kim and DeMets, Biometrika 74:149, 1987), by the recursion of
 * Armitage, McPherson and Rowe (J. R. Stat. Soc. A 132:235, 1969). The bounds are computed for
 * normal values of known variance; for Student's test the p-value of that test is compared with
 * them, as Jennison and Turnbull advise (Group Sequential Methods, 2000, section 4.4), and a tenth
 * of alpha makes up for the difference. An interval with this error probability at each look holds
 * the truth at all looks together (ibid., chapter 9).
 *
 * How many looks there are, and at what fractions, need not be planned, but must not depend on the
 * differences that were seen. Each takes SEQUENTIAL_CELLS^2 steps.
 */
double sequential_look(struct sequential *s, double values, double fraction);

#endif
