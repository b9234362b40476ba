// SPDX-License-Identifier: BSD-3-Clause
// The same bits for any number of threads.
#pragma once

#include "gramian/base/parallel.hpp"

namespace check {

/// Whether f() returns the same with 1, 2 and 7 threads.
template <class F>
bool same_for_any_threads(const F& f) {
  gramian::set_num_threads(1);
  const auto one = f();
  bool same = true;
  for (const int threads : {2, 7}) {
    gramian::set_num_threads(threads);
    same = same && f() == one;
  }
  gramian::set_num_threads(0);
  return same;
}

}  // namespace check
