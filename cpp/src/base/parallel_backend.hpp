// SPDX-License-Identifier: BSD-3-Clause
// What a threading back end provides. Exactly one of parallel_backend_openmp.cpp and parallel_backend_pool.cpp is compiled to
// something.
#pragma once

#include <chrono>

#include "gramian/base/parallel.hpp"

namespace gramian::base_detail {

/// "openmp" or "pool".
const char* backend_name();

/// Threads that were asked for from outside, on this thread and now: OMP_NUM_THREADS, omp_set_num_threads; 0 if nobody asked.
int backend_request();

/// Processors that this thread may run on.
int backend_processors();

/// Calls work(worker) on at most `workers` threads, numbered from 0, which is the calling thread; returns when all calls have
/// returned. `work` throws nothing. Never called twice at the same time.
void backend_run(int workers, FunctionRef<void(int worker)> work);

/// How long after its last call its threads still wait for the next one without sleeping, at least.
std::chrono::nanoseconds backend_time_awake();

/// Whether backend_run() waits for all of its threads, with nothing left to do too, and ends those that are not asked for.
bool backend_is_team();

/// The first number of OMP_NUM_THREADS as it stood at the first call; 0 if it is not set, not a number or not positive.
int environment_threads();

}  // namespace gramian::base_detail
