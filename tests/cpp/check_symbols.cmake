# SPDX-License-Identifier: BSD-3-Clause
# cmake -DNM=<nm> -DFILE=<object or library> -DALLOWED=<regex> [-DEXPORTED=ON] -P check_symbols.cmake
#
# Fails and lists them if FILE gives other files a symbol that ALLOWED does not match. Of an object that is every symbol the linker
# may take or merge, and no weak one is allowed, whatever its name; of a library (EXPORTED) it is what the dynamic linker sees.
cmake_minimum_required(VERSION 3.20)

set(options -P)
if(EXPORTED)
  list(APPEND options -D --defined-only)
endif()
execute_process(COMMAND "${NM}" ${options} "${FILE}" OUTPUT_VARIABLE listing RESULT_VARIABLE status ERROR_VARIABLE problem)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${NM} ${FILE}: ${problem}")
endif()

# A line is "name type value size". Lower case is local, but for u (unique), v and w (weak); U is only asked for.
string(REGEX MATCHALL "[^\n]+" lines "${listing}")
set(allowed 0)
set(refused "")
foreach(line IN LISTS lines)
  if(NOT line MATCHES "^([^ ]+) ([A-TV-Zuvw])( |$)")
    continue()
  endif()
  set(name "${CMAKE_MATCH_1}")
  set(type "${CMAKE_MATCH_2}")
  if(type MATCHES "[uvwVW]" AND NOT EXPORTED)
    string(APPEND refused "\n  weak: ${name}")
  elseif(name MATCHES "${ALLOWED}")
    math(EXPR allowed "${allowed} + 1")
  else()
    string(APPEND refused "\n  global: ${name}")
  endif()
endforeach()

if(refused)
  message(FATAL_ERROR "${FILE} has symbols that must not leave it:${refused}")
endif()
if(allowed EQUAL 0)
  message(FATAL_ERROR "${FILE} has no symbol ${ALLOWED}: this test looked at the wrong thing")
endif()
message(STATUS "${allowed} symbols leave ${FILE}, all of them allowed")
