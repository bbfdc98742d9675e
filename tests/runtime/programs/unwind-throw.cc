// SPDX-License-Identifier: GPL-3.0-or-later
// For unwind.c: an exception that passes through frames with something to clean up.
#include <string>

extern "C" void throw_through(int n);

static volatile long cleaned;

struct cleaner {
	std::string name = "longer than what fits without memory of its own";
	~cleaner() { cleaned = cleaned + (long)name.size(); }
};

__attribute__((noinline)) static void pass(int n)
{
	cleaner here;

	if (n == 0)
		throw n;
	pass(n - 1);
	cleaned = cleaned + 1;
}

extern "C" void throw_through(int n)
{
	try {
		pass(n);
	} catch (int) {
		cleaned = cleaned + 1;
	}
}
