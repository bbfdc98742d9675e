# SPDX-License-Identifier: GPL-3.0-or-later
"""intervals.py LEVEL RATE N: intervals of what runs of one program had, reckoned anew.

Reads lines "FUNCTION TICKS..." of N runs, then "flat" and the flat profile of their sum, then "csv" and that of
--export=csv. Says what is wrong in them. Nothing but Python: Student's t by integrating its density.
"""
import csv
import math
import sys
from statistics import NormalDist

level, rate, runs = float(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
z = NormalDist().inv_cdf(0.5 + level / 200)


def student(level, freedom):
    """By Simpson's rule, in steps of the angle whose tangent is t / sqrt(freedom)."""
    def within(angle):
        n = 200
        h = angle / n
        weights = [1] + [4, 2] * (n // 2 - 1) + [4, 1]
        area = h / 3 * sum(w * math.cos(i * h) ** (freedom - 1) for i, w in enumerate(weights))
        return 2 * area * math.gamma((freedom + 1) / 2) / math.sqrt(math.pi) / math.gamma(freedom / 2)
    low, high = 0.0, math.pi / 2
    for _ in range(60):
        middle = (low + high) / 2
        if within(middle) < level / 100:
            low = middle
        else:
            high = middle
    return math.sqrt(freedom) * math.tan(low)


lines = sys.stdin.read().split("\n")
at_flat, at_csv = lines.index("flat"), lines.index("csv")
ticks = {}
for line in lines[:at_flat]:
    words = line.split()
    ticks[words[0]] = [float(n) for n in words[1:]]
totals = [sum(column) for column in zip(*ticks.values())]
total = sum(totals)
t = student(level, runs - 1) if runs >= 3 else 0


def interval(counts):
    n = sum(counts)
    share = n / total
    root = math.sqrt(z * z + 4 * n * (1 - share))
    low, high = (2 * n + z * z - z * root) / (2 * (total + z * z)), (2 * n + z * z + z * root) / (2 * (total + z * z))
    if runs >= 3:
        off = sum((a - share * b) ** 2 for a, b in zip(counts, totals)) * runs / (runs - 1)
        half = t * math.sqrt(off) / total
        low, high = min(low, share - half), max(high, share + half)
    return max(low, 0.0), min(high, 1.0)


def said(interval, scale):
    low, high = interval[0] * scale, interval[1] * scale
    decimals = max(0, 1 - math.floor(math.log10(high - low)))
    return "%.*f-%s" % (decimals, low, "100" if high == 100 else "%.*f" % (decimals, high))


# Of numbers on the border of two roundings, either will do.
def alike(a, b):
    pairs = list(zip(a.split("-"), b.split("-")))
    return all(len(x) == len(y) and abs(float(x) - float(y)) <= 1.001 * 10 ** -len(x.partition(".")[2]) for x, y in pairs)


seen = 0
for line in lines[at_flat:at_csv]:
    words = line.split()
    if not words or words[-1].lstrip("~") not in ticks or "-" not in words[1]:
        continue
    name = words[-1].lstrip("~")
    wanted = interval(ticks[name])
    for got, scale in ((words[1], 100), (words[4], total / rate)):
        if not alike(got, said(wanted, scale)):
            print(f"{name}: {got} instead of {said(wanted, scale)}")
    seen += 1
rows = list(csv.DictReader(lines[at_csv + 1:]))
for row in rows:
    wanted = interval(ticks[row["function"]])
    for key, end in (("low (s)", wanted[0]), ("high (s)", wanted[1])):
        if abs(float(row[key]) - end * total / rate) > 1e-8 * total / rate:
            print(f'{row["function"]}, {key}: {row[key]} instead of {end * total / rate}')
if seen == 0 or len(rows) < seen:
    print("nothing to compare")
