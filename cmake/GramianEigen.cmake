# SPDX-License-Identifier: BSD-3-Clause
# Where the engine's Eigen comes from. Defines the target gramian_eigen (headers only), the function gramian_use_eigen, and
# GRAMIAN_EIGEN_VERSION and GRAMIAN_EIGEN_SOURCE.
include_guard(GLOBAL)

set(GRAMIAN_EIGEN_DIR "" CACHE PATH "Folder that holds Eigen/Core (empty: third_party/eigen, cmeel-eigen, the system)")

# Sets <out> to the version of the Eigen in <dir>, or to nothing if there is none. It moved to its own file after 3.4.
function(_gramian_eigen_version dir out)
  set(${out} "" PARENT_SCOPE)
  if(NOT dir OR NOT EXISTS "${dir}/Eigen/Core")
    return()
  endif()
  set(header "${dir}/Eigen/Version")
  if(NOT EXISTS "${header}")
    set(header "${dir}/Eigen/src/Core/util/Macros.h")
  endif()
  if(NOT EXISTS "${header}")
    return()
  endif()
  set(numbers "")
  foreach(part IN ITEMS WORLD MAJOR MINOR)
    file(STRINGS "${header}" line REGEX "^#define[ \t]+EIGEN_${part}_VERSION[ \t]+[0-9]+" LIMIT_COUNT 1)
    if(NOT line MATCHES "VERSION[ \t]+([0-9]+)")
      return()
    endif()
    list(APPEND numbers "${CMAKE_MATCH_1}")
  endforeach()
  list(JOIN numbers "." version)
  set(${out} "${version}" PARENT_SCOPE)
endfunction()

# Sets <out> to the headers of the package cmeel-eigen. Asked anew at each configure and never cached: pip's isolated build
# environment is gone by the next one.
function(_gramian_eigen_of_python out)
  set(${out} "" PARENT_SCOPE)
  set(program [[
import importlib.metadata
print(importlib.metadata.distribution("cmeel-eigen").locate_file("cmeel.prefix/include/eigen3").as_posix())
]])
  find_program(_gramian_python NAMES python3 python)
  set(pythons "${Python_EXECUTABLE}" "${Python3_EXECUTABLE}" "${_gramian_python}")
  unset(_gramian_python CACHE)
  foreach(python IN LISTS pythons)
    if(python)
      execute_process(COMMAND "${python}" -c "${program}" OUTPUT_VARIABLE dir RESULT_VARIABLE status ERROR_QUIET
                      OUTPUT_STRIP_TRAILING_WHITESPACE)
      if(status EQUAL 0 AND EXISTS "${dir}/Eigen/Core")
        set(${out} "${dir}" PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
endfunction()

# Sets <out> to the headers of an Eigen that the system or CMAKE_PREFIX_PATH has.
function(_gramian_eigen_of_system out)
  find_package(Eigen3 3.4 NO_MODULE QUIET)
  if(TARGET Eigen3::Eigen)
    get_target_property(dirs Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
    foreach(dir IN LISTS dirs)
      if(EXISTS "${dir}/Eigen/Core")
        set(${out} "${dir}" PARENT_SCOPE)
        return()
      endif()
    endforeach()
  endif()
  find_path(_gramian_eigen_path NAMES Eigen/Core PATH_SUFFIXES eigen3 include/eigen3)
  if(_gramian_eigen_path)
    set(${out} "${_gramian_eigen_path}" PARENT_SCOPE)
  endif()
  unset(_gramian_eigen_path CACHE)
endfunction()

# Sets <out_dir>, <out_source> to the first Eigen in the order of third_party/README.md.
function(_gramian_locate_eigen out_dir out_source)
  set(vendored "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../third_party/eigen")
  get_filename_component(vendored "${vendored}" ABSOLUTE)
  if(GRAMIAN_EIGEN_DIR)
    if(NOT EXISTS "${GRAMIAN_EIGEN_DIR}/Eigen/Core")
      message(FATAL_ERROR "GRAMIAN_EIGEN_DIR is ${GRAMIAN_EIGEN_DIR}, but there is no Eigen/Core in it")
    endif()
    set(dir "${GRAMIAN_EIGEN_DIR}")
    set(source "GRAMIAN_EIGEN_DIR")
  elseif(EXISTS "${vendored}/Eigen/Core")
    set(dir "${vendored}")
    set(source "third_party")
  else()
    set(source "cmeel-eigen")
    _gramian_eigen_of_python(dir)
    if(NOT dir)
      set(source "system")
      _gramian_eigen_of_system(dir)
    endif()
  endif()
  set(${out_dir} "${dir}" PARENT_SCOPE)
  set(${out_source} "${source}" PARENT_SCOPE)
endfunction()

function(_gramian_find_eigen)
  _gramian_locate_eigen(dir source)
  _gramian_eigen_version("${dir}" version)
  if(NOT version OR version VERSION_LESS 3.4)
    if(dir)
      set(problem "Eigen in ${dir} (${source}) is ${version}, but gramian needs 3.4 or later.")
    else()
      set(problem "No Eigen found; gramian needs the headers of Eigen 3.4 or later to build.")
    endif()
    message(FATAL_ERROR
      "${problem}\nAny one of these provides it:\n"
      "  -DGRAMIAN_EIGEN_DIR=<folder that holds Eigen/Core>\n"
      "  python third_party/vendor_eigen.py      (verified copy in third_party/eigen)\n"
      "  python -m pip install cmeel-eigen       (for the Python that CMake sees, or -DPython_EXECUTABLE=<python>)\n"
      "  Eigen from the system's packages        (libeigen3-dev, eigen3-devel, eigen)\n"
      "third_party/README.md says which version is pinned.")
  endif()
  message(STATUS "gramian: Eigen ${version} from ${source} (${dir})")

  add_library(gramian_eigen INTERFACE)
  target_include_directories(gramian_eigen SYSTEM INTERFACE "${dir}")
  target_compile_definitions(gramian_eigen INTERFACE EIGEN_DONT_PARALLELIZE EIGEN_MPL2_ONLY)
  set(GRAMIAN_EIGEN_VERSION "${version}" PARENT_SCOPE)
  set(GRAMIAN_EIGEN_SOURCE "${source}" PARENT_SCOPE)
endfunction()

# Compiles <target> with Eigen. The generator expression keeps gramian_eigen out of the exported targets: whoever
# uses gramian never sees which Eigen is inside.
function(gramian_use_eigen target)
  target_link_libraries(${target} PRIVATE "$<BUILD_INTERFACE:gramian_eigen>")
endfunction()

_gramian_find_eigen()
