// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/informativeness.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/check.hpp"
#include "gramian/base/matrix.hpp"
#include "gramian/base/parallel.hpp"

namespace gramian {
namespace {

constexpr double far_away = 1e3;        ///< deviations of the noise, of which nothing is left of exp(-x^2 / 2)
constexpr double least_width = 1e-100;  ///< of the noise
constexpr double still = 1e-12;         ///< a deviation, relative to the largest entry, that is only rounding
constexpr double seconds_per_number = 8e-9;

/// Columns that vary, in units of their noise.
Matrix in_units(MatrixView<const double> Z, double noise) {
  std::vector<Index> moving;
  std::vector<double> units;
  const auto n = static_cast<double>(Z.rows());
  for (Index c = 0; c < Z.cols(); ++c) {
    double largest = 0.0, mean = 0.0, square = 0.0;
    for (Index i = 0; i < Z.rows(); ++i) largest = std::max(largest, std::fabs(Z(i, c)));
    // Squares of any unit are numbers after a division by the largest.
    for (Index i = 0; i < Z.rows() && largest > 0.0; ++i) mean += Z(i, c) / largest / n;
    for (Index i = 0; i < Z.rows() && largest > 0.0; ++i) square += std::pow(Z(i, c) / largest - mean, 2) / n;
    const double deviation = std::sqrt(square);
    if (!(deviation > still)) continue;
    moving.push_back(c);
    units.push_back(std::max(noise * deviation, least_width));
    units.push_back(largest);
  }
  Matrix out(Z.rows(), static_cast<Index>(moving.size()));
  for (Index i = 0; i < out.rows(); ++i) {
    for (std::size_t c = 0; c < moving.size(); ++c)
      out(i, static_cast<Index>(c)) = Z(i, moving[c]) / units[2 * c + 1] / units[2 * c];
  }
  return out;
}

/// out[c], out[s + c] and out[2 s]: -log of the mean over all samples j of exp(-d^2 / 2) for the distance d of row i from them,
/// in component c, in all components but c, and in all. The sample itself has 1, so that no mean is 0.
void log_means(const Matrix& Z, Index i, double* out) {
  const Index n = Z.rows(), s = Z.cols();
  std::vector<double> each(static_cast<std::size_t>(s)), after(each.size() + 1, 1.0);
  std::fill_n(out, 2 * s + 1, 0.0);
  for (Index j = 0; j < n; ++j) {
    for (Index c = s - 1; c >= 0; --c) {
      const auto at = static_cast<std::size_t>(c);
      const double apart = std::clamp(Z(i, c) - Z(j, c), -far_away, far_away);
      each[at] = std::exp(-0.5 * apart * apart);
      after[at] = each[at] * after[at + 1];
    }
    double before = 1.0;
    for (Index c = 0; c < s; ++c) {
      const auto at = static_cast<std::size_t>(c);
      out[c] += each[at];
      out[s + c] += before * after[at + 1];
      before *= each[at];
    }
    out[2 * s] += before;
  }
  for (Index c = 0; c <= 2 * s; ++c) out[c] = -std::log(out[c] / static_cast<double>(n));
}

}  // namespace

double weighted_informativeness(MatrixView<const double> codes, double noise) {
  require(!codes.empty(), "codes must have at least one sample and one component");
  require_finite(codes, "codes");
  require(std::isfinite(noise) && noise > 0.0, "noise must be a finite number greater than 0");
  const Matrix Z = in_units(codes, noise);
  const Index n = Z.rows(), s = Z.cols();
  if (s == 0) return 0.0;
  Matrix rows(n, 2 * s + 1);
  const double pairs = static_cast<double>(checked_product(n, s));
  parallel_for(n, seconds_per_number * pairs, [&](Index i, int) { log_means(Z, i, &rows(i, 0)); });
  std::vector<double> told(static_cast<std::size_t>(2 * s + 1), 0.0);
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c <= 2 * s; ++c) told[static_cast<std::size_t>(c)] += rows(i, c) / static_cast<double>(n);
  }
  double alone = 0.0, sum = 0.0;
  for (Index c = 0; c < s; ++c) alone += told[static_cast<std::size_t>(c)];
  for (Index c = 0; c < s; ++c) {
    const double share = alone > 0.0 ? told[static_cast<std::size_t>(c)] / alone : 1.0 / static_cast<double>(s);
    sum += share * (told.back() - told[static_cast<std::size_t>(s + c)]);
  }
  return sum;
}

}  // namespace gramian
