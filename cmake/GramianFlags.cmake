# SPDX-License-Identifier: BSD-3-Clause
# gramian_flags(<target>): what every target of this project is compiled with; nothing of it reaches users of the library.
include(CheckCXXCompilerFlag)

set(GRAMIAN_GNU_LIKE OFF)
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang" AND NOT MSVC)
  set(GRAMIAN_GNU_LIKE ON)
endif()

set(GRAMIAN_X86_64 OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND NOT CMAKE_OSX_ARCHITECTURES MATCHES "arm64")
  set(GRAMIAN_X86_64 ON)
endif()

# The prefix with which GNU-style options reach the compiler: clang-cl takes them behind /clang:.
set(GRAMIAN_MARCH "-march=")
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND MSVC)
  set(GRAMIAN_MARCH "/clang:-march=")
endif()

# Without -march a compiler's x86-64 is the oldest one; level 2 (SSE 4.2, 2009) is the least that wheels are built for.
set(GRAMIAN_BASELINE_FLAGS "")
if(GRAMIAN_NATIVE)
  check_cxx_compiler_flag("${GRAMIAN_MARCH}native" GRAMIAN_HAS_NATIVE)
  if(GRAMIAN_HAS_NATIVE)
    set(GRAMIAN_BASELINE_FLAGS "${GRAMIAN_MARCH}native")
  endif()
elseif(GRAMIAN_X86_64)
  check_cxx_compiler_flag("${GRAMIAN_MARCH}x86-64-v2" GRAMIAN_HAS_X86_64_V2)
  if(GRAMIAN_HAS_X86_64_V2)
    set(GRAMIAN_BASELINE_FLAGS "${GRAMIAN_MARCH}x86-64-v2")
  endif()
endif()

set(GRAMIAN_SANITIZE_FLAGS "")
if(GRAMIAN_SANITIZE)
  set(GRAMIAN_SANITIZE_FLAGS "-fsanitize=${GRAMIAN_SANITIZE}" -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
endif()

# Inside of a project without a build type the library is optimised all the same. The type stays the project's: it also says which of
# the exported targets are installed.
set(GRAMIAN_DEFAULT_FLAGS "")
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  separate_arguments(GRAMIAN_DEFAULT_FLAGS NATIVE_COMMAND "${CMAKE_CXX_FLAGS_RELEASE}")
endif()

function(gramian_flags target)
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
                                             POSITION_INDEPENDENT_CODE ON)
  if(GRAMIAN_GNU_LIKE)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow)
    if(GRAMIAN_WERROR)
      target_compile_options(${target} PRIVATE -Werror)
    endif()
  elseif(MSVC)
    target_compile_options(${target} PRIVATE /W3 /EHsc)
  endif()
  target_compile_options(${target} PRIVATE ${GRAMIAN_DEFAULT_FLAGS} ${GRAMIAN_SANITIZE_FLAGS})
  target_link_options(${target} PRIVATE ${GRAMIAN_SANITIZE_FLAGS})
endfunction()
