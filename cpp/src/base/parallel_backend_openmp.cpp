// SPDX-License-Identifier: BSD-3-Clause
#ifdef GRAMIAN_USE_OPENMP

#include <omp.h>

#include "base/parallel_backend.hpp"

namespace gramian::base_detail {

const char* backend_name() { return "openmp"; }

int backend_request() { return omp_get_max_threads(); }

// Not the mask of the calling thread: with OMP_PROC_BIND the run-time ties that thread to one processor, and still has them all.
int backend_processors() { return omp_get_num_procs(); }

// The run-times of GNU, LLVM and Intel wait actively for some milliseconds. With OMP_WAIT_POLICY=passive they don't, and a short
// loop costs some microseconds more.
std::chrono::nanoseconds backend_time_awake() { return std::chrono::milliseconds(1); }

bool backend_is_team() { return true; }

void backend_run(int workers, FunctionRef<void(int worker)> work) {
#pragma omp parallel num_threads(workers)
  work(omp_get_thread_num());
}

}  // namespace gramian::base_detail

#endif  // GRAMIAN_USE_OPENMP
