// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/herding.hpp"

#include <limits>
#include <string>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gram/source.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/gram/full.hpp"

namespace gramian {
namespace {

constexpr double seconds_per_candidate = 2e-9;

/// out(c, i) = l(candidate, chosen_i).
void columns_of(const GramSource& candidates, const std::vector<Index>& chosen, MatrixView<double> out) {
  if (!candidates.stored()) {
    const PickedRows some(candidates.points(), chosen);
    return full(candidates.kernel(), candidates.points(), some.points(), out);
  }
  for_entries(out, [&](Index c, Index i) { out(c, i) = candidates.gram()(c, chosen[at(i)]); });
}

/// The candidate c that minimises |t mu - sum of the t - 1 chosen ones - phi(c)|^2 = const - 2 gain, the first of equals.
Index best_candidate(const double* mean, const double* sum, const Matrix& diagonal, double t) {
  Index best = 0;
  double most = 0.0;
  for (Index c = 0; c < diagonal.rows(); ++c) {
    const double gain = t * mean[c] - sum[c] - 0.5 * diagonal(c, 0);
    if (c == 0 || gain > most) {
      most = gain;
      best = c;
    }
  }
  return best;
}

}  // namespace

std::vector<Index> herd(const GramSource& candidates, MatrixView<const double> means, Index count, Repeats repeats) {
  check_source(candidates, "candidates");
  const Index q = means.rows(), c = candidates.size();
  require_shape(means, q, c, "means");
  require_finite(means, "means");
  require(count >= 1, "count is " + std::to_string(count) + ", it must be at least 1");
  require(repeats == Repeats::allowed || count <= c, "there are fewer candidates than are asked for without repeats");
  std::vector<Index> out(static_cast<std::size_t>(checked_product(q, count)));
  if (q == 0) return out;
  require_memory(static_cast<std::uint64_t>(checked_product(24, checked_product(q, c))), "herding",
                 "pass fewer inputs or candidates at a time");
  const Matrix mean = Matrix::copy_of(means);
  Matrix sum = Matrix::filled(q, c, 0.0), columns(c, q), diagonal(c, 1);
  diagonal_of(candidates, diagonal.view());
  std::vector<Index> chosen(static_cast<std::size_t>(q));
  for (Index t = 1; t <= count; ++t) {
    poll_stop();
    parallel_for(q, seconds_per_candidate * static_cast<double>(c), [&](Index i, int) {
      // What was chosen last is added here, where its row is at hand.
      double* own = sum.data() + i * c;
      for (Index k = 0; t > 1 && k < c; ++k) own[k] += columns(k, i);
      const Index best = best_candidate(mean.data() + i * c, own, diagonal, static_cast<double>(t));
      chosen[static_cast<std::size_t>(i)] = best;
      if (repeats == Repeats::forbidden) own[best] = std::numeric_limits<double>::infinity();
      out[static_cast<std::size_t>(i * count + t - 1)] = best;
    });
    if (t < count) columns_of(candidates, chosen, columns.view());
  }
  return out;
}

}  // namespace gramian
