// SPDX-License-Identifier: BSD-3-Clause
// Arithmetic of long vectors. Sums are cut into fixed blocks, so that they have the same bits for any number of threads.
#pragma once

#include <vector>

#include "gramian/base/index.hpp"

namespace gramian::optim_detail {

using Numbers = std::vector<double>;

double dot(const double* a, const double* b, Index n);
void add_multiple(double factor, const double* a, double* out, Index n);            ///< out += factor a
void multiply(double factor, double* out, Index n);                                 ///< out *= factor
void difference(const double* a, const double* b, double* out, Index n);            ///< out = a - b
void step_along(const double* x, double t, const double* d, double* out, Index n);  ///< out = x + t d

/// The largest magnitude of an entry; NaN if one is NaN.
double largest_magnitude(const double* a, Index n);

inline Index size_of(const Numbers& a) { return static_cast<Index>(a.size()); }

}  // namespace gramian::optim_detail
