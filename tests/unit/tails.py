#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes tails.table, by which base_tails.c is tested: python3 tails.py >tails.table
# Up to 2000 events with whole numbers alone (fractions), beyond with 50 digits (mpmath, Debian's python3-mpmath).
from fractions import Fraction
from math import comb
import random

import mpmath as mp

mp.mp.dps = 50


def two_sided(below, point):
    """Mid-p of a count, from the probability of less and its own."""
    lower = below + point / 2
    return min(1, 2 * min(lower, 1 - lower))


def binomial_exact(n0, n1, q):
    n, q = n0 + n1, Fraction(q)
    probability = [comb(n, k) * q**k * (1 - q)**(n - k) for k in range(n1 + 1)]
    return two_sided(sum(probability[:-1]), probability[-1])


def binomial(n0, n1, q):
    """By the incomplete beta function's series, from the count to whichever end is nearer to it than to the mean."""
    n, q = n0 + n1, mp.mpf(q)
    if n1 > n * q:
        return binomial(n1, n0, 1 - q)
    log = mp.loggamma(n + 1) - mp.loggamma(n1 + 1) - mp.loggamma(n0 + 1) + n1 * mp.log(q) + n0 * mp.log(1 - q)
    point = term = mp.exp(log)
    below, k = mp.mpf(0), n1
    while k > 0 and term > point * mp.mpf(10)**-45:
        term *= k * (1 - q) / ((n - k + 1) * q)
        below += term
        k -= 1
    return two_sided(below, point)


def shares(n0, all0, n1, all1):
    n = n0 + n1
    whole = comb(all0 + all1, n)
    ways = [comb(all1, k) * comb(all0, n - k) for k in range(n1 + 1)]
    return two_sided(Fraction(sum(ways[:-1]), whole), Fraction(ways[-1], whole))


def shares_large(n0, all0, n1, all1):
    n = n0 + n1
    if n1 * (all0 + all1) > n * all1:
        return shares_large(n1, all1, n0, all0)

    def log_comb(n, k):
        return mp.loggamma(n + 1) - mp.loggamma(k + 1) - mp.loggamma(n - k + 1)
    point = term = mp.exp(log_comb(all1, n1) + log_comb(all0, n0) - log_comb(all0 + all1, n))
    below, k = mp.mpf(0), n1
    while k > 0 and term > point * mp.mpf(10)**-45:
        term *= mp.mpf(k * (all0 - n + k)) / ((all1 - k + 1) * (n - k + 1))
        below += term
        k -= 1
    return two_sided(below, point)


def student(z, freedom):
    x = mp.mpf(freedom) / (freedom + mp.mpf(z)**2)
    return mp.betainc(mp.mpf(freedom) / 2, mp.mpf(1) / 2, 0, x, regularized=True)


def digits(p):
    p = mp.mpf(p.numerator) / p.denominator if isinstance(p, Fraction) else mp.mpf(p)
    return mp.nstr(p, 15, min_fixed=1, max_fixed=0)


random.seed(19)
print("# Made by tails.py: the arguments of tails_binomial(), tails_shares() or interval_student_beyond(), and p.")
for n0, n1, q in [(0, 1, 0.5), (1, 0, 0.25), (5, 5, 0.5), (0, 12, 0.5), (3, 11, 0.5), (50, 80, 0.5), (7, 300, 0.9375),
                  (1000, 1200, 0.5), (999, 1001, 0.5), (12, 0, 0.75), (700, 100, 0.125), (300, 300, 0.09375)]:
    print("binomial", n0, n1, q, digits(binomial_exact(n0, n1, q)))
for n in (2500, 20000, 20001, 100000, 1000000, 10000000):
    for q in (0.5, 0.0625, 0.90625):
        for deviations in (0, 0.5, -1.5, 2, -3.25, 6):
            n1 = round(n * q + deviations * (n * q * (1 - q))**0.5)
            print("binomial", n - n1, n1, q, digits(binomial(n - n1, n1, q)))
for _ in range(30):
    all0, all1 = random.randint(2, 900), random.randint(2, 900)
    n0, n1 = random.randint(0, all0), random.randint(0, all1)
    print("shares", n0, all0, n1, all1, digits(shares(n0, all0, n1, all1)))
for all0, all1, share in ((10**4, 10**4, 0.1), (10**6, 3 * 10**6, 0.01), (2 * 10**7, 5 * 10**6, 0.4)):
    for deviations in (0, 1, -2, 4):
        n0 = round(all0 * share)
        n1 = round(all1 * share + deviations * (all1 * share * (1 - share) * (1 + all1 / all0))**0.5)
        print("shares", n0, all0, n1, all1, digits(shares_large(n0, all0, n1, all1)))
for freedom in (1, 2, 3, 4, 5, 8, 17, 80, 999, 1000):
    for z in (0.0, 0.5, 1.96, -2.75, 5.5):
        print("student", z, freedom, digits(student(z, freedom)))
