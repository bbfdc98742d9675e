/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a program made by tests/tools/randcalls needs: types of arguments, each with a way to
 * compare and one to make a value out of a number, and conventions of calling.
 */
#ifndef REGISTERS_H
#define REGISTERS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <gmon.h>

#define BARE   __attribute__((no_instrument_function))
#define HELPER BARE __attribute__((noinline, unused)) static

#ifdef __clang__
#define CALLED __attribute__((noinline, optnone))
#else
#define CALLED __attribute__((noipa))
#endif

/* Ways to pass what would go elsewhere: nothing on machines that have one way. */
#ifdef __i386__
#define IN_ONE   __attribute__((regparm(1)))
#define IN_TWO   __attribute__((regparm(2)))
#define IN_THREE __attribute__((regparm(3)))
#define IN_FAST  __attribute__((fastcall))
#else
#define IN_ONE
#define IN_TWO
#define IN_THREE
#define IN_FAST
#endif

#if defined(__i386__) || defined(__x86_64__) || (defined(__aarch64__) && !defined(__clang__))
#define GENERAL __attribute__((target("general-regs-only")))
#else
#define GENERAL
#endif

typedef signed char int8;
typedef short int16;
typedef int int32;
typedef long long int64;
#ifdef __SIZEOF_INT128__
typedef __int128 wide;
#else
typedef long long wide;
#endif
typedef float flt;
typedef double dbl;
typedef long double longdbl;
typedef void *ptr;
typedef double _Complex pair;
/* i386 passes 8 bytes in MMX registers, and whoever does must not use floating-point numbers then.
 */
#ifdef __i386__
typedef int vec8 __attribute__((vector_size(16)));
#else
typedef int vec8 __attribute__((vector_size(8)));
#endif
typedef int vec16 __attribute__((vector_size(16)));
typedef double dvec16 __attribute__((vector_size(16)));
typedef int vec32 __attribute__((vector_size(32)));
typedef int vec64 __attribute__((vector_size(64)));
typedef struct {
	char a;
	short b;
} small;
typedef struct {
	long long a;
	double b;
} mixed;
typedef struct {
	float a, b;
} floats;
typedef struct {
	double a, b, c;
} doubles;
typedef struct {
	long a[5];
} large;
typedef struct {
	vec16 a, b;
} vectors;

#define MAKE_int8(n)    ((int8)(n))
#define MAKE_int16(n)   ((int16)(n))
#define MAKE_int32(n)   ((int32)(n))
#define MAKE_int64(n)   ((int64)(n))
#define MAKE_wide(n)    ((wide)(n)*1000003)
#define MAKE_flt(n)     ((flt)((n)&0xffff) + 0.5F)
#define MAKE_dbl(n)     ((dbl)((n)&0xffffffff) + 0.25)
#define MAKE_longdbl(n) ((longdbl)((n)&0xffffffff) + 0.125L)
#define MAKE_ptr(n)     ((ptr)(uintptr_t)(n))
#define MAKE_pair(n)    (__builtin_complex(MAKE_dbl(n), MAKE_dbl((n) >> 1)))
#define MAKE_FOUR(n)    (int32)(n), (int32)((n) >> 3), (int32)((n) >> 5), (int32)((n) >> 7)
#define MAKE_vec8(n)    ((vec8){ (int32)(n), (int32)((n) >> 3) })
#define MAKE_vec16(n)   ((vec16){ MAKE_FOUR(n) })
#define MAKE_dvec16(n)  ((dvec16){ MAKE_dbl(n), MAKE_dbl((n) >> 1) })
#define MAKE_vec32(n)   ((vec32){ MAKE_FOUR(n), MAKE_FOUR((n) >> 1) })
#define MAKE_vec64(n) \
	((vec64){ MAKE_FOUR(n), MAKE_FOUR((n) >> 1), MAKE_FOUR((n) >> 2), MAKE_FOUR((n) >> 4) })
#define MAKE_small(n)   ((small){ (char)(n), MAKE_int16((n) >> 8) })
#define MAKE_mixed(n)   ((mixed){ MAKE_int64(n), MAKE_dbl((n) >> 1) })
#define MAKE_floats(n)  ((floats){ MAKE_flt(n), MAKE_flt((n) >> 1) })
#define MAKE_doubles(n) ((doubles){ MAKE_dbl(n), MAKE_dbl((n) >> 1), MAKE_dbl((n) >> 2) })
#define MAKE_large(n) \
	((large){ { (long)(n), (long)((n) >> 1), (long)((n) >> 2), (long)((n) >> 3), 5 } })
#define MAKE_vectors(n) ((vectors){ MAKE_vec16(n), MAKE_vec16((n) >> 1) })

HELPER bool same_bytes(const void *a, const void *b, unsigned n)
{
	const volatile unsigned char *x = a;
	const volatile unsigned char *y = b;

	for (unsigned i = 0; i < n; i++)
		if (x[i] != y[i])
			return false;
	return true;
}

#define BY_VALUE(type)                          \
	HELPER bool same_##type(type a, type b) \
	{                                       \
		return a == b;                  \
	}
BY_VALUE(int8)
BY_VALUE(int16)
BY_VALUE(int32)
BY_VALUE(int64)
BY_VALUE(wide)
BY_VALUE(flt)
BY_VALUE(dbl)
BY_VALUE(longdbl)
BY_VALUE(ptr)
BY_VALUE(pair)

#define BY_BYTES(type)                                \
	HELPER bool same_##type(type a, type b)       \
	{                                             \
		return same_bytes(&a, &b, sizeof(a)); \
	}
BY_BYTES(vec8)
BY_BYTES(vec16)
BY_BYTES(dvec16)
BY_BYTES(vec32)
BY_BYTES(vec64)
BY_BYTES(mixed)
BY_BYTES(floats)
BY_BYTES(doubles)
BY_BYTES(large)
BY_BYTES(vectors)

HELPER bool same_small(small a, small b)
{
	return a.a == b.a && a.b == b.b;
}

static int wrong;

HELPER void complain(int call, int argument)
{
	wrong++;
	fprintf(stderr, "call %d: argument %d\n", call, argument);
}

/* Argument -1 is what the call returned, -2 what lies outside the function. */
#define CHECK(call, argument, type, got, n)            \
	do {                                           \
		if (!same_##type(got, MAKE_##type(n))) \
			complain(call, argument);      \
	} while (0)

/* A stack aligned more than calls make it. */
#define REALIGNED(call)                           \
	_Alignas(64) volatile char realigned[64]; \
	realigned[call % 64] = 1;                 \
	if ((uintptr_t)realigned % 64)            \
	complain(call, -3)

/* Each call is made while counting is off, then counted the slow way, then the fast. */
HELPER int call_all(void (*const *callers)(void), int n)
{
	for (int round = 0; round < 4; round++) {
		moncontrol(round > 0);
		for (int i = 0; i < n; i++)
			callers[i]();
	}
	printf("%d calls, %d wrong\n", n, wrong);
	return wrong != 0;
}

#endif
