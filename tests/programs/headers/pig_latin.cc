// SPDX-License-Identifier: GPL-3.0-or-later
//
// Moves the consonants at the head of each word to its end.
#include "text.h"

namespace
{

std::string change(const std::string &word)
{
	std::size_t head = 0;

	while (head < word.size() && !is_vowel(word[head]))
		head++;
	return word.substr(head) + word.substr(0, head) + "ay";
}

} // namespace

std::string pig_latin(const std::string &text)
{
	std::vector<std::string> words = split(text, ' ');

	for (auto &w : words)
		w = change(w);
	return join(words, ' ');
}
