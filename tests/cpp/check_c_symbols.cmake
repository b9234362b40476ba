# SPDX-License-Identifier: BSD-3-Clause
# cmake -DNM=<nm> -DFILE=<library> -DLIST=<file> -P check_c_symbols.cmake
#
# Fails unless the functions in C that the library exports are those of the list, a name a line.
cmake_minimum_required(VERSION 3.20)

execute_process(COMMAND "${NM}" -P -D --defined-only "${FILE}" OUTPUT_VARIABLE listing RESULT_VARIABLE status ERROR_VARIABLE problem)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${NM} ${FILE}: ${problem}")
endif()
string(REGEX MATCHALL "(^|\n)gramian_[a-z_]+" exported "${listing}")
string(REPLACE "\n" "" exported "${exported}")
list(SORT exported)
file(STRINGS "${LIST}" listed)
if(NOT exported STREQUAL listed)
  message(FATAL_ERROR "${FILE} exports\n  ${exported}\nand ${LIST} has\n  ${listed}")
endif()
list(LENGTH exported count)
message(STATUS "${count} functions, as listed")
