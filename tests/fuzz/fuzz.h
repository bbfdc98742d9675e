/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the fuzz targets share. A target is a file of its own with LLVMFuzzerTestOneInput(); it is
 * linked with libFuzzer, or with replay.c, which runs it on files. Targets run in a directory with
 * the files that seeds.sh puts there.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* One input: 0. What is wrong ends the process by a signal. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* libFuzzer's own mutation of the bytes at data; the new size, at most max. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

/* Run before the first input; whole.c has it. */
int LLVMFuzzerInitialize(int *argc, char ***argv);

/*
 * Runs all of gprof in this process with the words, NULL behind the last, and stdout to /dev/null.
 * It has to end with status 0 and no error, or 1 and one error at least, and must not run out of
 * memory. The status.
 */
int whole(char **words);

/* A file in memory with n bytes, read from its start; a descriptor of it to be closed. */
int memory_file(const void *bytes, size_t n);

/* Where the descriptor's file can be opened. */
enum { FD_PATH = 32 };
void fd_path(char path[FD_PATH], int fd);

/* Ends the process as a finding. */
__attribute__((noreturn)) void finding(const char *what);

/* For an arena: no input is large enough for that. */
__attribute__((noreturn)) void finding_no_memory(void *arg);

/* The sink of a diag: prints the line if FUZZ_VERBOSE is in the environment. */
void ignore_line(void *to, const char *line);

#endif
