#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""callsites.py NAME DUMP CALLGRIND... [-- CALLGRIND...] [-- HITS]: compares the calls of gprof --run=calls with what callgrind has seen.

DUMP is what tests/tools/extdump prints of the recording; CALLGRIND are the files of
valgrind --tool=callgrind --skip-plt=no --dump-instr=yes --dump-line=no --compress-strings=no --compress-pos=no of the same
command,
whose counts of instructions are the oracle: those of a call instruction say how often it was executed, those of a
function's first instruction how often the function was entered, loops to there aside.

Files behind -- are of a second run of the oracle, as in another environment, or with another library preloaded; HITS, behind
another --, has lines PATH ADDRESS NUMBER: how often a breakpoint there was hit without valgrind, whose processor is another
one; one for each run. Functions that differ are sorted out by these.

Prints a line: the calls that were executed; the share of these whose sites are counted; the sites that were executed and
are counted, and how many of them have the same count; the functions without a mark that were called, and how many of
them were entered as often as they were called, and if there is a second run, of the others those that differ in it, too, or
were hit as often as they were called, and those that are left; and marked ones with more calls than entries. Then differences, if there
are any."""
import collections
import os
import re
import struct
import subprocess
import sys

PREFIXES = (0x66, 0x67, 0xf2, 0xf3, 0x2e, 0x3e)


class Object:
    """An ELF file: bytes at link-time addresses, and where its functions begin."""

    def __init__(self, path):
        self.data = open(path, 'rb').read()
        headers, = struct.unpack_from('<Q', self.data, 32)
        number, = struct.unpack_from('<H', self.data, 56)
        self.segments = []
        for i in range(number):
            kind, flags, offset, address, _, size, _, _ = struct.unpack_from('<IIQQQQQQ', self.data, headers + 56 * i)
            if kind == 1 and flags & 1:
                self.segments.append((address, address + size, offset))
        frames = subprocess.run(['readelf', '-wF', path], capture_output=True, text=True, check=False).stdout
        self.starts = sorted({int(m.group(1), 16) for m in re.finditer(r'FDE .*pc=([0-9a-f]+)\.\.', frames)})

    def bytes_at(self, address, n):
        for low, high, offset in self.segments:
            if low <= address < high:
                return self.data[offset + address - low:offset + address - low + n]
        return b''

    def call_length(self, address):
        """The length of the call instruction at an address; 0: it is none."""
        code = self.bytes_at(address, 16)
        i = 0
        while i < len(code) - 8 and (code[i] in PREFIXES or code[i] & 0xf0 == 0x40):
            i += 1
        if len(code) < i + 8:
            return 0
        if code[i] == 0xe8:
            return i + 5
        if code[i] != 0xff or code[i + 1] >> 3 & 7 != 2:
            return 0
        mode, low = code[i + 1] >> 6, code[i + 1] & 7
        n = i + 2
        if mode != 3 and low == 4:
            n += 1
            if mode == 0 and code[i + 2] & 7 == 5:
                n += 4
        if mode == 0 and low == 5:
            n += 4
        return n + (mode if mode == 1 else 4 if mode == 2 else 0)


def read_callgrind(paths):
    """How often each instruction of each object was executed."""
    counts = collections.defaultdict(collections.Counter)
    of = None
    skip = False
    for path in paths:
        for line in open(path, errors='replace'):
            if line.startswith('ob='):
                of = counts[os.path.realpath(line[3:].strip())]
                skip = False
            elif line.startswith('calls='):
                skip = True
            elif line[0] == '0':
                if not skip and of is not None:
                    address, _, n = line.partition(' ')
                    of[int(address, 16)] += int(n)
                skip = False
    return counts


def read_dump(path):
    """The modules whose calls are counted: calls from and to addresses of each, and its marked functions."""
    listed, modules, arcs = [], {}, []
    for line in open(path, errors='replace'):
        word = line.split()
        if not word:
            continue
        if word[0] == 'module':
            listed.append((word[1], word[-1]))
        elif word[0] == 'site':
            path_of, key = listed[int(word[1])]
            modules[key] = dict(path=os.path.realpath(path_of), froms=collections.Counter(), selfs=collections.Counter(), parts=set())
        elif word[0] == 'part':
            number, address = word[1].split(':')
            modules[listed[int(number)][1]]['parts'].add(int(address, 16))
        elif len(word) > 3 and word[1] == 'arc':
            arcs.append((int(word[0]), word[2], word[3]))
    for calls, caller, callee in arcs:
        for place, what in ((caller, 'froms'), (callee, 'selfs')):
            key, _, address = place.rpartition(':')
            if key in modules:
                modules[key][what][int(address, 16)] += calls
    return modules


def read_hits(paths):
    """How often breakpoints were hit, in each run, by object and address."""
    hits = collections.defaultdict(set)
    for path in paths:
        for line in open(path):
            of, address, n = line.split()
            hits[os.path.realpath(of), int(address, 16)].add(int(n))
    return hits


def split_words(words):
    """Lists of the words between those that are --."""
    lists = [[]]
    for word in words:
        if word == '--':
            lists.append([])
        else:
            lists[-1].append(word)
    return lists


def main():
    name, dump = sys.argv[1:3]
    callgrind, again, hits = (split_words(sys.argv[3:]) + [[], []])[:3]
    second, hits = read_callgrind(again), read_hits(hits)
    explained = 0
    modules = read_dump(dump)
    oracle = read_callgrind(callgrind)
    total = counted = sites = equal = functions = exact = over = 0
    differences = []
    for module in modules.values():
        path = module['path']
        seen = oracle.get(path)
        if not seen:
            continue
        file = Object(path)
        for address, n in seen.items():
            length = file.call_length(address)
            if not length:
                continue
            total += n
            ours = module['froms'].get(address + length - 1)
            if ours is None:
                continue
            counted += min(n, ours)
            sites += 1
            equal += n == ours
            if n != ours:
                differences.append((abs(n - ours), f'site {path} {address:#x}: {ours} of {n}'))
        for start in file.starts:
            ours, entered = module['selfs'].get(start, 0), seen.get(start, 0)
            if start in module['parts']:
                over += ours > entered
                if ours > entered:
                    differences.append((ours - entered, f'marked {path} {start:#x}: {ours} of {entered}'))
            elif ours or (entered and start % 16 == 0):
                functions += 1
                exact += ours == entered
                if again and ours != entered and (second[path][start] != entered or ours in hits[path, start]):
                    explained += 1
                elif ours != entered:
                    differences.append((abs(ours - entered), f'function {path} {start:#x}: {ours} of {entered}'))
    sorted_out = f' ({explained} differ in the oracle, too; {functions - exact - explained} left)' if again else ''
    print(f'{name:12} calls {total:10} counted {100 * counted / max(total, 1):6.2f} %  sites {equal}/{sites}'
          f'  functions {exact}/{functions}{sorted_out}  over {over}')
    for _, text in sorted(differences, reverse=True)[:12]:
        print('   ', text)


main()
