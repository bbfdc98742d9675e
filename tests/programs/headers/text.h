// SPDX-License-Identifier: GPL-3.0-or-later
//
// Static and inline functions that every unit gets a copy of, or shares.
#ifndef TEXT_H
#define TEXT_H

#include <cctype>
#include <string>
#include <vector>

static bool is_vowel(char c)
{
	return std::string("aeiou").find(c) != std::string::npos;
}

static inline std::vector<std::string> split(const std::string &text, char separator)
{
	std::vector<std::string> words(1);

	for (char c : text) {
		if (c == separator)
			words.emplace_back();
		else
			words.back() += c;
	}
	return words;
}

inline std::string join(const std::vector<std::string> &words, char separator)
{
	std::string text;

	for (const auto &w : words)
		text += (text.empty() ? "" : std::string(1, separator)) + w;
	return text;
}

std::string pig_latin(const std::string &text);
std::string title_case(const std::string &text);

#endif
