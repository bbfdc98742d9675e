// SPDX-License-Identifier: GPL-3.0-or-later
//
// C++: members, virtual calls, templates, exceptions, constructors of objects, operators.
#include <algorithm>
#include <stdexcept>
#include <vector>

#include "truth.h"

namespace {
unsigned long ncatch, nless;
volatile int sink;
}

struct Shape {
	virtual ~Shape() {}
	virtual int area(int n) = 0;
};

struct Square : Shape {
	int side;
	APART explicit Square(int s) : side(s) {}
	APART int area(int n) override { return n * side * side; }
};

struct Strip : Shape {
	APART int area(int n) override { return n; }
};

template <typename T> APART T twice(T x)
{
	sink = sink + 1;
	return x + x;
}

APART int checked(int x)
{
	if (x % 10 == 0) {
		ncatch++;
		throw std::runtime_error("ten");
	}
	return x;
}

APART bool less(int a, int b)
{
	nless++;
	return a < b;
}

APART int measure(Shape *shape, int n)
{
	int a = shape->area(n);
	NO_TAIL_CALL;
	return a;
}

int main()
{
	int sum = 0;
	Square square(3);
	Strip strip;
	std::vector<int> v;

	for (int i = 0; i < 500; i++) {
		sum += measure(&square, i) + measure(i % 2 ? static_cast<Shape *>(&square) : &strip, i);
		sum += twice(i) + static_cast<int>(twice(1.5));
		try {
			sum += checked(i);
		} catch (const std::exception &) {
			sum--;
		}
		v.push_back(i * 31 % 500);
	}
	std::sort(v.begin(), v.end(), less);
	sink = sum;
	arc("main", "Square::Square(int)", 1);
	arc("main", "measure(Shape*,int)", 1000);
	arc("measure(Shape*,int)", "Square::area(int)", 750);
	arc("measure(Shape*,int)", "Strip::area(int)", 250);
	arc("main", "inttwice<int>(int)", 500);
	arc("main", "doubletwice<double>(double)", 500);
	arc("main", "checked(int)", 500);
	arc("*", "less(int,int)", nless);
	return ncatch != 50;
}
