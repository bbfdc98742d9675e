/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library of libraries.c that it opens; it uses the other one. */
int linked_twice(int i);

int opened_leaf(int i)
{
	return i + 2;
}

int opened(int i)
{
	return linked_twice(opened_leaf(i)) + opened_leaf(i);
}
