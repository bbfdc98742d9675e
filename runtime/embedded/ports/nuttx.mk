# SPDX-License-Identifier: MIT
# The Makefile of an application, such as apps/system/gmon. What is to be counted is compiled with -pg; this is not.
include $(APPDIR)/Make.defs

PROGNAME  = gmon
PRIORITY  = SCHED_PRIORITY_DEFAULT
STACKSIZE = $(CONFIG_DEFAULT_TASK_STACKSIZE)
MODULE    = $(CONFIG_GMON_EMBEDDED)
MAINSRC   = gmon_nuttx.c
CSRCS     = gmon_embedded.c gmon_mcount.c gmon_dump.c

include $(APPDIR)/Application.mk
