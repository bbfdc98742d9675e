/* SPDX-License-Identifier: GPL-3.0-or-later */
static inline int clamp(int n)
{
	if (n < 0)
		return 0;
	return n > 255 ? 255 : n;
}
