// SPDX-License-Identifier: GPL-3.0-or-later
//
// Matrices and polynomials by templates over their element, and exceptions thrown through several frames.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace algebra
{

template <unsigned long P> class modular
{
	unsigned long value;

public:
	modular(unsigned long v = 0) : value(v % P) {}
	modular operator+(modular o) const { return value + o.value; }
	modular operator*(modular o) const { return value * o.value; }
	bool operator==(const modular &o) const { return value == o.value; }
	explicit operator unsigned long() const { return value; }
};

struct singular : std::runtime_error {
	int row;
	explicit singular(int r) : std::runtime_error("singular in row " + std::to_string(r)), row(r) {}
};

template <typename T, int N> class matrix
{
	T cell[N][N];

public:
	matrix() : cell() {}

	template <typename F> explicit matrix(F make)
	{
		for (int i = 0; i < N; i++)
			for (int j = 0; j < N; j++)
				cell[i][j] = make(i, j);
	}

	const T &at(int i, int j) const
	{
		if (i >= N || j >= N)
			throw std::out_of_range("matrix::at");
		return cell[i][j];
	}

	matrix operator*(const matrix &o) const
	{
		return matrix([&](int i, int j) {
			T sum{};
			for (int k = 0; k < N; k++)
				sum = sum + at(i, k) * o.at(k, j);
			return sum;
		});
	}

	T trace() const
	{
		T sum{};
		for (int i = 0; i < N; i++)
			sum = sum + at(i, i);
		return sum;
	}

	void demand_diagonal() const
	{
		for (int i = 0; i < N; i++)
			if (at(i, i) == T{})
				throw singular(i);
	}
};

template <typename M> M power(const M &base, unsigned n)
{
	if (n == 1)
		return base;
	M half = power(base, n / 2);
	return n % 2 ? half * half * base : half * half;
}

template <typename T> T evaluate(const std::vector<T> &polynomial, T x)
{
	T sum{};
	for (auto c = polynomial.rbegin(); c != polynomial.rend(); ++c)
		sum = sum * x + *c;
	return sum;
}

template <typename... T> std::size_t total_size(const T &...v)
{
	return (sizeof(v) + ... + 0);
}

} // namespace algebra

template <typename M> static bool invertible(const M &m)
{
	try {
		m.demand_diagonal();
		m.at(1, 1);
		return true;
	} catch (const algebra::singular &e) {
		return e.row % 2 == 0;
	}
}

template <typename T> static unsigned long exercise(int round)
{
	using matrix = algebra::matrix<T, 7>;
	matrix m([=](int i, int j) { return T((i * 5 + j * 3 + round) % 9); });
	unsigned long result = static_cast<unsigned long>(power(m, 11).trace());

	try {
		result += invertible(m);
		m.at(round % 8, 0);
	} catch (const std::exception &) {
		result += 1000;
	}
	return result + static_cast<unsigned long>(algebra::evaluate<T>({T(1), T(2), T(3)}, T(round)));
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? std::atoi(argv[1]) : 1;
	unsigned long sum = algebra::total_size(1, 2.0, 'c');

	for (int i = 0; i < 2000 * rounds; i++)
		sum += exercise<algebra::modular<10007>>(i) + exercise<algebra::modular<65521>>(i)
			+ exercise<unsigned long>(i) % 1000;
	std::printf("%lu\n", sum);
	return 0;
}
