// SPDX-License-Identifier: GPL-3.0-or-later
// Templates in three threads, of which each does twice the work of the one before; half of it is
// inlined.
#include <algorithm>
#include <map>
#include <regex>
#include <string>
#include <thread>
#include <vector>

template <class Key> struct index {
	std::map<Key, std::vector<int>> places;
	void add(const Key &key, int at)
	{
		places[key].push_back(at);
	}
};

template <class T> static unsigned long mixed(T x)
{
	for (int i = 0; i < 50; i++)
		x = x * 1103515245 + (x % 7);
	return (unsigned long)x;
}

static unsigned long parse(int first)
{
	static const std::regex word("([a-z]+)=([0-9]+)");
	index<std::string> all;
	unsigned long sum = 0;

	for (int i = first; i < first + 10000; i++) {
		std::string line =
			"key" + std::string(1, char('a' + i % 26)) + "=" + std::to_string(i);
		std::smatch part;
		if (std::regex_match(line, part, word))
			all.add(part[1], i);
		sum += mixed<unsigned>(i) + mixed<unsigned long>(i);
	}
	for (auto &[key, at] : all.places)
		std::sort(at.begin(), at.end(), [](int a, int b) { return a % 100 < b % 100; });
	return sum + all.places.size();
}

int main()
{
	std::vector<std::thread> threads;
	unsigned long sums[3] = {};

	for (int t = 0; t < 3; t++)
		threads.emplace_back([t, &sums] {
			for (int k = 0; k < 2 << t; k++)
				sums[t] += parse(1000 * t);
		});
	for (auto &thread : threads)
		thread.join();
	return sums[0] + sums[1] + sums[2] == 42;
}
