// SPDX-License-Identifier: GPL-3.0-or-later
//
// Turns sentences over with functions of two units that have static functions of equal names.
#include "text.h"

#include <cstdio>
#include <cstdlib>

static std::string sentence(int number)
{
	static const char *const words[] = {"a", "profile", "of", "the", "time", "spent", "in", "calls"};
	std::vector<std::string> chosen;

	for (int i = 0; i < 12; i++)
		chosen.push_back(words[(number + i * i) % 8]);
	return join(chosen, ' ');
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? std::atoi(argv[1]) : 1;
	std::size_t vowels = 0;

	for (int i = 0; i < 4000 * rounds; i++)
		for (char c : title_case(pig_latin(sentence(i))))
			vowels += is_vowel(c);
	std::printf("%zu\n", vowels);
	return 0;
}
