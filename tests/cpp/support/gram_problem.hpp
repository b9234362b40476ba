// SPDX-License-Identifier: BSD-3-Clause
// A scalar of a Gram matrix, sum Kbar o K, from the double loop: what derivatives are taken of.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "gramian/base/random.hpp"
#include "support/finite_difference.hpp"
#include "support/naive.hpp"
#include "support/naive_kernels.hpp"

namespace naive {

/// n points whose coordinates are all apart, in every feature: no difference of two changes its sign while one moves by less than
/// 2 / n.
inline Matrix<double> points_apart(Index n, Index d, std::uint64_t seed) {
  Matrix<double> X(n, d);
  std::vector<Index> order(static_cast<std::size_t>(n));
  for (Index k = 0; k < d; ++k) {
    gramian::random_permutation(gramian::RandomStream(seed, static_cast<std::uint64_t>(k)), order.data(), n);
    for (Index i = 0; i < n; ++i) {
      X(i, k) = (4.0 * (static_cast<double>(order[static_cast<std::size_t>(i)]) + 0.5) / static_cast<double>(n)) - 1.9 +
                0.03 * static_cast<double>(k);
    }
  }
  return X;
}

/// P Q^T for P: n x r, Q: m x r.
inline Matrix<double> dense_product(const Matrix<double>& P, const Matrix<double>& Q) {
  Matrix<double> out(P.view.rows(), Q.view.rows());
  for (Index i = 0; i < P.view.rows(); ++i) {
    for (Index j = 0; j < Q.view.rows(); ++j) {
      for (Index c = 0; c < P.view.cols(); ++c) out(i, j) += P.view(i, c) * Q.view(j, c);
    }
  }
  return out;
}

/// One set if `same`: then y stays empty and x moves in both roles.
struct GramProblem {
  Expression kernel;
  bool same = false;
  std::vector<Numbers> x, y;
  MatrixView<const double> Kbar;

  const std::vector<Numbers>& second() const { return same ? x : y; }
  Real weight(std::size_t i, std::size_t j) const { return Kbar(static_cast<Index>(i), static_cast<Index>(j)); }

  /// sum |Kbar| (1 + |k|) over the entries in which point i of the first (or second) set has a part: the scale of rounding
  /// errors.
  Real magnitude(bool of_second, std::size_t i) const {
    Real sum = 1e-300L;
    const std::size_t n = x.size(), m = second().size();
    const auto add = [&](std::size_t a, std::size_t b) {
      sum += std::fabs(weight(a, b)) * (1 + std::fabs(evaluate(kernel, x[a], second()[b])));
    };
    for (std::size_t j = 0; !of_second && j < m; ++j) add(i, j);
    for (std::size_t j = 0; (of_second || same) && j < n; ++j) add(j, i);
    return sum;
  }
  Real magnitude() const {
    Real sum = 1e-300L;
    for (std::size_t i = 0; i < x.size(); ++i) sum += magnitude(false, i);
    return sum;
  }

  /// The part of sum Kbar o K in which point i of the first (or second) set has a share, with that point at `moved`.
  Real share(bool of_second, std::size_t i, const Numbers& moved, const Numbers& parameters) const {
    Real sum = 0;
    const auto k = [&](const Numbers& a, const Numbers& b) { return evaluate(kernel, parameters, a, b); };
    if (of_second) {
      for (std::size_t j = 0; j < x.size(); ++j) sum += weight(j, i) * k(x[j], moved);
      return sum;
    }
    for (std::size_t j = 0; j < second().size(); ++j) {
      if (same && j == i) {
        sum += weight(i, i) * k(moved, moved);
      } else {
        sum += weight(i, j) * k(moved, second()[j]) + (same ? weight(j, i) * k(x[j], moved) : 0);
      }
    }
    return sum;
  }

  /// d (sum Kbar o K) / d x_ik, or y_ik.
  difference::Slope point_slope(bool of_second, std::size_t i, std::size_t k, Real h) const {
    const Numbers p = parameters_of(kernel);
    const auto f = [&](Real t) {
      Numbers moved = of_second ? y[i] : x[i];
      moved[k] += t;
      return share(of_second, i, moved, p);
    };
    return difference::slope(f, h, magnitude(of_second, i));
  }

  /// d (sum Kbar o K) / d theta_p.
  difference::Slope parameter_slope(std::size_t p, Real h) const {
    const auto f = [&](Real t) {
      Numbers parameters = parameters_of(kernel);
      parameters[p] += t;
      Real sum = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        for (std::size_t j = 0; j < second().size(); ++j) sum += weight(i, j) * evaluate(kernel, parameters, x[i], second()[j]);
      }
      return sum;
    };
    return difference::slope(f, h, magnitude());
  }

  /// J v: the entries of K (row by row) along directions of the points; along y is not read for one set.
  std::vector<difference::Slope> gram_along(const std::vector<Numbers>& x_along, const std::vector<Numbers>& y_along,
                                            Real h) const {
    const Numbers p = parameters_of(kernel);
    const auto moved = [](Numbers at, const Numbers& direction, Real t) {
      for (std::size_t k = 0; k < at.size(); ++k) at[k] += t * direction[k];
      return at;
    };
    const auto f = [&](Real t) {
      Numbers out;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const Numbers a = moved(x[i], x_along[i], t);
        for (std::size_t j = 0; j < second().size(); ++j)
          out.push_back(evaluate(kernel, p, a, moved(second()[j], same ? x_along[j] : y_along[j], t)));
      }
      return out;
    };
    return difference::slopes(f, h, 10);  // entries of the samples are not larger
  }
};

inline std::string label(const GramProblem& problem) {
  return problem.kernel.name + (has_scales(problem.kernel) ? " with length scales" : "") +
         (problem.same ? ", one set" : ", two sets");
}

}  // namespace naive
