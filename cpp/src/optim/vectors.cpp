// SPDX-License-Identifier: BSD-3-Clause
#include "optim/vectors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gramian/base/parallel.hpp"

namespace gramian::optim_detail {
namespace {

constexpr Index block_size = 1 << 14;
constexpr double seconds_per_number = 0.5e-9;

/// Calls body(block, first, last) for each block, in parallel if there are many.
template <class Body>
void for_each_block(Index n, Body body) {
  if (n <= block_size) return body(Index(0), Index(0), n);
  parallel_for((n + block_size - 1) / block_size, seconds_per_number * block_size,
               [&](Index block, int) { body(block, block * block_size, std::min(n, (block + 1) * block_size)); });
}

/// Several sums at a time: one alone would wait for each addition to end.
double dot_of_block(const double* a, const double* b, Index n) {
  constexpr Index together = 8;
  double sums[together] = {};
  Index i = 0;
  for (; i + together <= n; i += together) {
    for (Index k = 0; k < together; ++k) sums[k] += a[i + k] * b[i + k];
  }
  for (; i < n; ++i) sums[0] += a[i] * b[i];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

double largest_of_block(const double* a, Index n) {
  double largest = 0.0;
  bool valid = true;
  for (Index i = 0; i < n; ++i) {
    const double magnitude = std::fabs(a[i]);
    largest = magnitude > largest ? magnitude : largest;
    valid = valid && magnitude == magnitude;
  }
  return valid ? largest : std::numeric_limits<double>::quiet_NaN();
}

Numbers one_for_each_block(Index n) { return Numbers(static_cast<std::size_t>((n + block_size - 1) / block_size)); }

}  // namespace

double dot(const double* a, const double* b, Index n) {
  if (n <= block_size) return dot_of_block(a, b, n);
  Numbers sums = one_for_each_block(n);
  for_each_block(n, [&](Index block, Index first, Index last) {
    sums[static_cast<std::size_t>(block)] = dot_of_block(a + first, b + first, last - first);
  });
  double total = 0.0;
  for (const double sum : sums) total += sum;
  return total;
}

void add_multiple(double factor, const double* a, double* out, Index n) {
  for_each_block(n, [=](Index, Index first, Index last) {
    for (Index i = first; i < last; ++i) out[i] += factor * a[i];
  });
}

void multiply(double factor, double* out, Index n) {
  for_each_block(n, [=](Index, Index first, Index last) {
    for (Index i = first; i < last; ++i) out[i] *= factor;
  });
}

void difference(const double* a, const double* b, double* out, Index n) {
  for_each_block(n, [=](Index, Index first, Index last) {
    for (Index i = first; i < last; ++i) out[i] = a[i] - b[i];
  });
}

void step_along(const double* x, double t, const double* d, double* out, Index n) {
  for_each_block(n, [=](Index, Index first, Index last) {
    for (Index i = first; i < last; ++i) out[i] = x[i] + t * d[i];
  });
}

double largest_magnitude(const double* a, Index n) {
  if (n <= block_size) return largest_of_block(a, n);
  Numbers largest = one_for_each_block(n);
  for_each_block(n, [&](Index block, Index first, Index last) {
    largest[static_cast<std::size_t>(block)] = largest_of_block(a + first, last - first);
  });
  return largest_of_block(largest.data(), size_of(largest));
}

}  // namespace gramian::optim_detail
