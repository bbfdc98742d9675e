# SPDX-License-Identifier: MIT
# The CMakeLists.txt of a module, beside runtime/embedded and the three headers. -pg is for the program's own sources,
# in its own CMakeLists.txt: target_compile_options(app PRIVATE -pg)
if(CONFIG_GMON_EMBEDDED)
  zephyr_library()
  zephyr_include_directories(.)
  zephyr_library_sources(gmon_zephyr.c gmon_embedded.c gmon_mcount.c gmon_dump.c)
endif()
