/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the targets use of the test tools, which share two names with libiberty.
 */
#define xcalloc  tool_calloc
#define xrealloc tool_realloc
#include "../tools/bytes.c"
#include "../tools/extrecords.c"
#include "../tools/mutate.c"

const char tool_name[] = "fuzz";
