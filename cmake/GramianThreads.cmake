# SPDX-License-Identifier: BSD-3-Clause
# GRAMIAN_THREADS, openmp or pool (cpp/src/base/parallel_<name>.cpp), and GRAMIAN_THREADS_LIBRARY, the target that it links.
if(GRAMIAN_OPENMP)
  find_package(OpenMP COMPONENTS CXX)
endif()
if(GRAMIAN_OPENMP AND OpenMP_CXX_FOUND)
  set(GRAMIAN_THREADS openmp)
  set(GRAMIAN_THREADS_LIBRARY OpenMP::OpenMP_CXX)
else()
  find_package(Threads REQUIRED)
  set(GRAMIAN_THREADS pool)
  set(GRAMIAN_THREADS_LIBRARY Threads::Threads)
endif()
message(STATUS "gramian: threads by ${GRAMIAN_THREADS}")
