// SPDX-License-Identifier: GPL-3.0-or-later
//
// A shop's stock: maps, sorting by lambdas, virtual functions, operators, constructors of every kind and
// objects made before main.
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

namespace
{

class money
{
	long cents;

public:
	money(long c = 0) : cents(c) {}
	money &operator+=(const money &o)
	{
		cents += o.cents;
		return *this;
	}
	friend money operator*(money m, double factor) { return money(static_cast<long>(m.cents * factor)); }
	friend bool operator<(const money &a, const money &b) { return a.cents < b.cents; }
	friend std::ostream &operator<<(std::ostream &out, const money &m)
	{
		return out << m.cents / 100 << '.' << m.cents % 100;
	}
};

} // namespace

class item
{
protected:
	std::string name;
	money price;

public:
	item(std::string n, money p) : name(std::move(n)), price(p) {}
	item(const item &) = default;
	virtual ~item() {}
	virtual money value() const { return price; }
	virtual std::unique_ptr<item> copy() const { return std::make_unique<item>(*this); }
	const std::string &label() const { return name; }
	bool operator==(const item &o) const { return name == o.name; }
};

class discounted : public item
{
	double factor;

public:
	discounted(std::string n, money p, double f) : item(std::move(n), p), factor(f) {}
	money value() const override { return price * factor; }
	std::unique_ptr<item> copy() const override { return std::make_unique<discounted>(*this); }
};

class bundle : public virtual item
{
	std::vector<std::unique_ptr<item>> parts;

public:
	explicit bundle(std::string n) : item(std::move(n), 0) {}
	bundle(const bundle &o) : item(o)
	{
		for (const auto &p : o.parts)
			parts.push_back(p->copy());
	}
	void operator<<(const item &i) { parts.push_back(i.copy()); }
	money value() const override
	{
		return std::accumulate(parts.begin(), parts.end(), money(0), [](money sum, const auto &p) {
			sum += p->value();
			return sum;
		});
	}
	std::unique_ptr<item> copy() const override { return std::make_unique<bundle>(*this); }
};

class stock
{
	std::map<std::string, std::unique_ptr<item>> items;

public:
	void add(std::unique_ptr<item> i)
	{
		std::string key = i->label();
		items[key] = std::move(i);
	}
	item *operator[](const std::string &name)
	{
		auto found = items.find(name);
		return found == items.end() ? nullptr : found->second.get();
	}
	std::vector<const item *> sorted(const std::function<bool(const item *, const item *)> &less) const
	{
		std::vector<const item *> all;
		for (const auto &entry : items)
			all.push_back(entry.second.get());
		std::stable_sort(all.begin(), all.end(), less);
		return all;
	}
};

static stock shop;
static const std::string prefix = "item ";

static void fill(int n)
{
	for (int i = 0; i < n; i++) {
		std::string name = prefix + std::to_string(i * 7919 % n);
		if (i % 3 == 0)
			shop.add(std::make_unique<discounted>(name, 100 + i, 0.8));
		else
			shop.add(std::make_unique<item>(name, 50 + i * 3));
	}
	auto pair = std::make_unique<bundle>("pair");
	*pair << *shop[prefix + "1"];
	*pair << *shop[prefix + "2"];
	shop.add(std::move(pair));
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? std::stoi(argv[1]) : 1;
	std::ostringstream out;

	fill(400);
	for (int i = 0; i < 150 * rounds; i++) {
		money sum;
		auto by_value = shop.sorted([](auto a, auto b) { return a->value() < b->value(); });
		auto by_name = shop.sorted([](auto a, auto b) { return b->label() < a->label(); });
		for (const item *it : by_value)
			sum += it->value();
		if (*by_name.front() == *by_value.front())
			sum += shop["pair"]->copy()->value();
		out << sum << '\n';
	}
	std::cout << out.str().substr(0, out.str().find('\n') + 1);
	return 0;
}
