# SPDX-License-Identifier: BSD-3-Clause
# Every public header compiles alone, without warnings, and needs nothing but the public headers.
include_guard(GLOBAL)

# gramian_check_headers(<target> INCLUDE_DIR <dir> HEADERS <header>... [LIBRARIES <library>...])
#
# An object library with one generated source per header, named relative to INCLUDE_DIR. A header that needs another one's
# includes, warns, lacks its include guard, or includes Eigen or Python without it in LIBRARIES fails the build.
function(gramian_check_headers target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "INCLUDE_DIR" "HEADERS;LIBRARIES")
  if(NOT arg_INCLUDE_DIR OR NOT arg_HEADERS OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "gramian_check_headers(<target> INCLUDE_DIR <dir> HEADERS <header>... [LIBRARIES <library>...])")
  endif()
  set(sources "")
  foreach(header IN LISTS arg_HEADERS)
    if(NOT EXISTS "${arg_INCLUDE_DIR}/${header}")
      message(FATAL_ERROR "gramian_check_headers: no ${header} in ${arg_INCLUDE_DIR}")
    endif()
    string(MAKE_C_IDENTIFIER "${header}" name)
    set(source "${CMAKE_CURRENT_BINARY_DIR}/${target}/${name}.cpp")
    # Included twice: the second time shows a missing include guard.
    file(CONFIGURE OUTPUT "${source}" @ONLY
         CONTENT "#include \"@header@\"\n#include \"@header@\"\n\nint gramian_check_@name@() { return 0; }\n")
    list(APPEND sources "${source}")
  endforeach()

  add_library(${target} OBJECT ${sources})
  target_include_directories(${target} PRIVATE "${arg_INCLUDE_DIR}")
  target_link_libraries(${target} PRIVATE ${arg_LIBRARIES})
  target_compile_features(${target} PRIVATE cxx_std_17)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  if(MSVC)
    target_compile_options(${target} PRIVATE /W4 /WX)
  else()
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Werror)
  endif()
endfunction()
