/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A second source for a program that is optimized as a whole.
 */
#include "truth.h"

APART int other_file(int x)
{
	return x + 1;
}
