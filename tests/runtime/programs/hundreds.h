/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * HUNDRED(X, n): X(n00) ... X(n99).
 */
#define TEN(X, n)     X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7) X(n##8) X(n##9)
#define FIFTY(X, n)   TEN(X, n##0) TEN(X, n##1) TEN(X, n##2) TEN(X, n##3) TEN(X, n##4)
#define HUNDRED(X, n) FIFTY(X, n) TEN(X, n##5) TEN(X, n##6) TEN(X, n##7) TEN(X, n##8) TEN(X, n##9)
