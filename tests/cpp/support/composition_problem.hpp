// SPDX-License-Identifier: BSD-3-Clause
// The engine's composition beside the naive one: images, norms and gradients, and negative controls.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "gramian/layers/composition.hpp"
#include "support/check.hpp"
#include "support/naive_composition.hpp"

namespace problem {

using gramian::Composition;
using gramian::Index;
using gramian::MatrixView;
using gramian::PointSource;
using naive::Real;

constexpr Real step = 1e-3L;

/// Each of L layers sums n products, and rounding of one layer is carried through those above it.
inline Real allowed_for(const naive::Composition& problem, Real scale) {
  const auto sums = static_cast<Real>(problem.input.size() * problem.layers.size());
  return 512 * sums * naive::unit_roundoff<double> * scale;
}

inline naive::Numbers wide(const std::vector<double>& numbers) { return {numbers.begin(), numbers.end()}; }

/// Rows of the same points in each of the forms that an input may have.
struct Input {
  explicit Input(const naive::Rows& rows) : dense(naive::matrix_of(rows)), inner(dense.view.rows(), dense.view.rows()) {
    start.push_back(0);
    for (Index i = 0; i < dense.view.rows(); ++i) {
      for (Index k = 0; k < dense.view.cols(); ++k) {
        if (dense(i, k) == 0.0) continue;
        columns.push_back(k);
        values.push_back(dense(i, k));
      }
      start.push_back(static_cast<Index>(values.size()));
      for (Index j = 0; j < dense.view.rows(); ++j) {
        inner(i, j) = static_cast<double>(difference::dot(rows[static_cast<std::size_t>(i)], rows[static_cast<std::size_t>(j)]));
      }
    }
  }
  std::vector<PointSource> forms() const {
    const gramian::SparseRows<double> sparse{dense.view.rows(), dense.view.cols(), start.data(), columns.data(), values.data()};
    return {gramian::Points(dense.view), gramian::Points(sparse), gramian::InnerProducts<double>(inner.view)};
  }

  naive::Matrix<double> dense, inner;
  std::vector<Index> start, columns;
  std::vector<double> values;
};

/// Points with zeros in them, as sparse ones have.
inline naive::Rows input_rows(Index n, Index d) {
  naive::Rows rows = naive::points(naive::normal<double>(n, d, 51).view);
  for (std::size_t i = 0; i < rows.size(); i += 2) rows[i][i % static_cast<std::size_t>(d)] = 0;
  return rows;
}

/// So small that images stay of the size of the input, however many samples there are.
inline std::vector<double> some_coefficients(const naive::Composition& problem, std::uint64_t seed = 52) {
  std::vector<double> flat = naive::normal<double>(static_cast<Index>(problem.coefficient_count()), 1, seed).numbers;
  const double size = 0.6 * std::sqrt(8.0 / std::max(8.0, static_cast<double>(problem.support_count())));
  for (double& phi : flat) phi *= size;
  return flat;
}

struct Gradient {
  std::vector<double> coefficients;
  naive::Matrix<double> W;
};

/// The gradient of the problem's objective, as the engine has it.
inline Gradient engine_gradient(Composition& composition, const naive::Composition& problem, const std::vector<double>& flat) {
  const Index n = composition.samples(), outputs = problem.layers.back().outputs;
  Gradient out{std::vector<double>(flat.size()), naive::normal<double>(n, outputs, 53)};
  naive::Matrix<double> bar(n, outputs);
  composition.forward(flat.data());
  const MatrixView<const double> X = composition.output(composition.depth());
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c < outputs; ++c) bar(i, c) = out.W.view(i, c) + X(i, c);
  }
  composition.reverse(bar.view, {}, out.coefficients.data());
  return out;
}

inline void check_images(const Composition& composition, const naive::Composition& problem, const naive::Images& images,
                         const std::string& name) {
  for (Index l = 1; l <= composition.depth(); ++l) {
    const naive::Rows& X = images.X[static_cast<std::size_t>(l)];
    const naive::Rows S = problem.supports(X);
    Real scale = 1e-300L;
    for (const naive::Numbers& row : X) {
      for (const Real x : row) scale = std::max(scale, std::fabs(x));
    }
    const Real allowed = allowed_for(problem, scale);
    bool good = true;
    for (std::size_t i = 0; i < X.size(); ++i) {
      for (std::size_t c = 0; c < X[i].size(); ++c) {
        const Index row = static_cast<Index>(i), column = static_cast<Index>(c);
        good &= std::fabs(static_cast<Real>(composition.output(l)(row, column)) - X[i][c]) <= allowed;
        if (i < S.size()) good &= std::fabs(static_cast<Real>(composition.support(l)(row, column)) - S[i][c]) <= allowed;
      }
    }
    ::check::that(good, name + ": images of layer " + std::to_string(l) + " differ", __FILE__, __LINE__);
    const Real norm = images.squared_norms[static_cast<std::size_t>(l - 1)];
    CHECK_NEAR(static_cast<Real>(composition.squared_norm(l)), norm, allowed_for(problem, scale * scale + std::fabs(norm)) * 16);
  }
}

/// One derivative by differences, with the supports of the kernels where they are if `frozen`.
inline difference::Slope slope_in(const naive::Composition& problem, const naive::Numbers& flat, std::size_t i,
                                  const MatrixView<double>& W, const naive::Images* frozen, Real magnitude) {
  return difference::slope(
      [&](Real t) {
        naive::Numbers moved = flat;
        moved[i] += t;
        return problem.objective(problem.evaluate(moved, frozen), W);
      },
      step, magnitude);
}

inline void check_gradient(const naive::Composition& problem, const naive::Numbers& flat, const Gradient& got,
                           const std::string& name, std::size_t every) {
  const Real magnitude = 1 + std::fabs(problem.objective(problem.evaluate(flat), got.W.view));
  std::size_t first = 0;
  for (std::size_t l = 0; l < problem.layers.size(); ++l) {
    const std::size_t count = problem.support_count() * static_cast<std::size_t>(problem.layers[l].outputs);
    Real scale = 1e-300L;
    for (std::size_t i = first; i < first + count; ++i)
      scale = std::max(scale, std::fabs(static_cast<Real>(got.coefficients[i])));
    const Real allowed = allowed_for(problem, scale);
    for (std::size_t i = first + l; i < first + count; i += every) {
      const difference::Slope wanted = slope_in(problem, flat, i, got.W.view, nullptr, magnitude);
      const std::string what = name + ": coefficient " + std::to_string(i) + " of layer " + std::to_string(l + 1) + ": " +
                               ::check::show(got.coefficients[i]) + ", by differences " + ::check::show(wanted.value) + " +- " +
                               ::check::show(wanted.error + allowed);
      ::check::that(difference::agrees(got.coefficients[i], wanted, allowed, scale), what, __FILE__, __LINE__);
      // Were it wrong in the sixth digit, it would not pass.
      ::check::that(!difference::agrees(got.coefficients[i] + 1e-6L * scale, wanted, allowed, scale), what + ", perturbed",
                    __FILE__, __LINE__);
    }
    first += count;
  }
}

/// Images, norms and gradient of one problem, for each form of the input that its first kernels allow.
inline void check(const naive::Composition& problem, const std::string& name, std::size_t every = 1) {
  const Input input(problem.input);
  const std::vector<double> flat = some_coefficients(problem);
  const naive::Images images = problem.evaluate(wide(flat));
  bool coordinates = false;
  for (const naive::Term& term : problem.layers[0].terms) coordinates |= naive::needs_coordinates(term.kernel);
  std::size_t form = 0;
  for (const PointSource& in : input.forms()) {
    if (coordinates && form > 0) break;
    Composition composition(in, naive::layers_of(problem.layers), {problem.landmarks});
    CHECK_EQ(composition.coefficient_count(), static_cast<Index>(flat.size()));
    const Gradient got = engine_gradient(composition, problem, flat);
    const std::string what = name + ", input " + std::to_string(form++);
    check_images(composition, problem, images, what);
    check_gradient(problem, wide(flat), got, what, form == 1 ? every : 7 * every);
  }
}

}  // namespace problem
