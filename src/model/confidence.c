/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "model/confidence.h"

#include <math.h>

double confidence_part(double files, double part, double all)
{
	return files > 0.0 && part < all ? files * sqrt(part / all) : files;
}

struct interval confidence_share(const struct confidence *c, double n, double all, double files)
{
	double weight = c->per_sample > 1.0 ? c->per_sample : 1.0;
	struct interval share = interval_share((n < all ? n : all) / weight, all / weight, c->z);
	double middle = n < all ? n / all : 1.0;
	double excess = c->excess > c->inclusive_excess ? c->excess : c->inclusive_excess;
	double below = middle - share.low, above = share.high - middle;

	if (c->nfiles == 0 || !(all > 0.0))
		return share;
	if (files < 0.0 && excess > 1.0) {
		below *= excess;
		above *= excess;
	}
	below = files > below ? files : below;
	above = files > above ? files : above;
	share.low = below < middle ? middle - below : 0.0;
	share.high = above < 1.0 - middle ? middle + above : 1.0;
	return share;
}
