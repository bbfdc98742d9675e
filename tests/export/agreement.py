# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the exports of one profile agree, to the tick.

  agreement.py PAGE PLAIN PPROF SPEEDSCOPE CALLGRIND TOP

PAGE: --export=webpage; PLAIN: the same with inlined=no; PPROF: what pprofdump says of --export=pprof; SPEEDSCOPE: the file;
CALLGRIND: what callgrind_annotate --threshold=100 --auto=no says, or empty; TOP: --top with all functions. Prints what
differs, and at the end "agree FUNCTIONS TICKS".
"""
import json
import re
import sys
from collections import Counter

INLINED = " (inlined)"


def called(name):
    """A function's name without what tells that it is inlined, which formats write in their own ways."""
    return "+" + name[: name.index(INLINED)] if INLINED in name else name

def complain(*words):
    print("differs:", *words)


def read_page(path):
    with open(path, encoding="utf-8") as page:
        text = re.search(r'<script id="data"[^>]*>(.*?)</script>', page.read(), re.S).group(1)
    data = json.loads(text)
    n = len(data["name"])
    for key in ("shared", "self", "waiting"):
        data[key] = data.get(key) or [0] * n
    for f in range(1, n):
        data["name"][f] = data["name"][f - 1][: data["shared"][f]] + data["name"][f]
    return data


def by_name(data, column):
    times = Counter()
    for name, time in zip(data["name"], data[column]):
        times[called(name)] += time
    return +times


def own(data):
    """Own time by name, in nanoseconds or counts."""
    return by_name(data, "self")


def read_pprof(path):
    """Own time, own waiting, and waiting with what was called, by name; the totals of both."""
    columns, cpu, off, below = [], Counter(), Counter(), Counter()
    with open(path, encoding="utf-8") as dump:
        for line in dump:
            words = line.rstrip("\n").split(" | ")
            if line.startswith("type "):
                columns.append(line.split()[1])
            if not line.startswith("sample "):
                continue
            value = dict(zip(columns, map(int, words[0].split()[1:])))
            waited = value.get("off-cpu", 0)
            cpu[words[1]] += value.get("cpu", 0)
            off[words[1]] += waited
            for name in set(words[1:]):
                below[name] += waited
    return +cpu, +off, +below


def read_speedscope(path):
    """Own time by name, of the profile of all threads."""
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    frames, profile = data["shared"]["frames"], data["profiles"][0]
    times, stack, last = Counter(), [], 0
    for event in profile["events"]:
        if stack:
            times[called(frames[stack[-1]]["name"])] += event["at"] - last
        last = event["at"]
        if event["type"] == "O":
            stack.append(event["frame"])
        else:
            stack.pop()
    return +times


def read_callgrind(path):
    """Own time by name; a function has a line for each file that its code is from."""
    times = Counter()
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            match = re.match(r" *([0-9][0-9,]*) \( *[0-9.]+%\) +[^:]*:(.*?)( \[(\[.*\]|[^\]]*)\])?$", line)
            if match:
                times[match.group(2)] += int(match.group(1).replace(",", ""))
    return +times


def read_top(path):
    """The shares of all functions, in percent with two decimals."""
    shares, begun = [], False
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            match = re.match(r" *([0-9]+\.[0-9]+) ", line)
            if begun and match:
                shares.append(match.group(1))
            begun = begun or re.match(r" +% self ", line)
    return shares


def compare(what, is_, wanted):
    for name in sorted(set(is_) | set(wanted)):
        if is_[name] != wanted[name]:
            complain(f"{what}: {name!r} has {is_[name]}, not {wanted[name]}")


def main(page, plain, pprof, speedscope, callgrind, top):
    page, plain = read_page(page), read_page(plain)
    times = own(page)
    cpu, off, below = read_pprof(pprof)
    compare("pprof", cpu, times)
    compare("pprof, waiting", below, by_name(page, "waiting"))
    both = read_speedscope(speedscope)
    compare("speedscope", both, cpu + off)
    if sum(both.values()) != page["allTime"]:
        complain("totals:", sum(both.values()), page["allTime"])
    if sum(times.values()) != page["total"] or sum(own(plain).values()) != page["total"]:
        complain("own times add up to", sum(times.values()), sum(own(plain).values()), "of", page["total"])
    if callgrind:
        compare("callgrind", read_callgrind(callgrind), own(plain))
    shares = [float(share) for share in read_top(top)]
    wanted = sorted((100 * time / page["total"] for time in page["self"] if time), reverse=True)
    if len(shares) != len(wanted) or any(abs(a - b) > 0.00501 for a, b in zip(shares, wanted)):
        complain("--top:", [pair for pair in zip(shares, wanted) if abs(pair[0] - pair[1]) > 0.00501][:5],
                 len(shares), len(wanted))
    print("agree", len(times), page["total"] // page["perTick"])


main(*sys.argv[1:])
