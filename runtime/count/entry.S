/* SPDX-License-Identifier: MIT */
/* The machine's entry code, from the folder under arch/ that configure has chosen. */
#include <entry.S>
