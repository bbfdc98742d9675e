// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes the first letter of each word a capital.
#include "text.h"

namespace
{

std::string change(std::string word)
{
	if (!word.empty() && !(word.size() < 3 && is_vowel(word[0])))
		word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
	return word;
}

} // namespace

std::string title_case(const std::string &text)
{
	std::vector<std::string> words = split(text, ' ');

	for (auto &w : words)
		w = change(w);
	return join(words, ' ');
}
