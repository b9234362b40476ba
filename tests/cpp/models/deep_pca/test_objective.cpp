// SPDX-License-Identifier: BSD-3-Clause
// The objective of deep kernel PCA against its definition in long double, its gradient against differences of that.
#include "gramian/models/deep_pca/objective.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "gramian/gram/full.hpp"
#include "support/check.hpp"
#include "support/deep_pca_cases.hpp"
#include "support/finite_difference.hpp"

using namespace gramian;
using naive::Real;
using Numbers = std::vector<double>;

namespace {

using naive::PcaCase;

std::vector<PcaCase> cases() {
  const naive::Expression gaussian = naive::leaf("gaussian", {0.3}), linear = naive::leaf("linear");
  const naive::Expression cubic = naive::leaf("polynomial", {3, 0.7, 1.1}),
                          quadratic = naive::leaf("rational_quadratic", {0.8, 1.2});
  const naive::Expression scaled = naive::leaf("gaussian", {0.6}, {0.8, 1.3, 1.1});
  std::vector<PcaCase> all = naive::pca_cases();
  all.push_back({"linear, linear", {{linear, 2, 1.5}, {linear, 2, 0.8}}});
  all.push_back({"polynomial, arc-cosine", {{cubic, 3, 2.0}, {naive::leaf("arc_cosine2"), 2, 0.9}}});
  all.push_back({"four levels", {{gaussian, 3, 1.0}, {linear, 2, 0.8}, {gaussian, 2, 1.1}, {gaussian, 1, -1.3}}});
  all.push_back({"sums", {{gaussian, 3, 1.0}, {0.5 * (gaussian + cubic) * quadratic, 2, 0.9}}});
  all.push_back({"length scales", {{gaussian, 3, 1.0}, {scaled, 2, 0.9}}});
  return all;
}

constexpr Index n = 9, d = 4;

struct Setup : naive::PcaPoint {
  explicit Setup(const PcaCase& which, Index samples = n)
      : X(naive::normal<double>(samples, d, 11)),
        problem{naive::pca_rows(X.view), which.levels, which.centred},
        objective(Points(X.view), naive::engine_levels(which.levels), {which.eigenvalues(), which.centred}) {
    static_cast<naive::PcaPoint&>(*this) = naive::point_of(objective);
  }
  naive::Matrix<double> X;
  naive::PcaProblem problem;
  deep_pca::TrainingObjective objective;
};

naive::Numbers moved(naive::Numbers x, const naive::Numbers& along, Real t) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += t * along[i];
  return x;
}

double inner(const Numbers& a, const Numbers& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

TEST(value_and_gradient_are_those_of_the_definition) {
  for (const PcaCase& which : cases()) {
    const Setup at(which);
    naive::check_value_and_gradient(which.name, at, [&](const naive::Numbers& x) { return at.problem.value(x, which.joint); });
  }
}

TEST(the_gradient_is_the_adjoint_of_the_residuals) {
  // J = |R|^2 / 2 with R linear in what moves: <J', v> = <R' v, R>. R' v by differences of A = the gradient of the energy.
  for (const PcaCase& which : cases()) {
    if (which.joint) continue;
    Setup at(which, 40);
    const std::size_t count = at.x.size();
    const Numbers v = naive::normal<double>(static_cast<Index>(count), 1, 13).numbers;
    const double h = 1e-4;
    const auto residual = [&](double t) {
      Numbers where = at.x, A(count);
      for (std::size_t i = 0; i < count; ++i) where[i] += t * v[i];
      at.objective.energy_gradient(where.data(), A.data());
      const deep_pca::State state = at.objective.describe(where.data());
      for (std::size_t j = 0; j < state.eigenvalues.size(); ++j) {
        const Index level = static_cast<Index>(j);
        const MatrixView<double> R = at.objective.manifold().block(A.data(), level);
        const MatrixView<const double> H = at.objective.manifold().block(std::as_const(where).data(), level);
        for (Index i = 0; i < R.rows(); ++i) {
          for (Index c = 0; c < R.cols(); ++c) R(i, c) -= H(i, c) * state.eigenvalues[j][static_cast<std::size_t>(c)];
        }
      }
      return A;
    };
    const Numbers r = residual(0.0), at1 = residual(h), at2 = residual(-h), at3 = residual(2 * h), at4 = residual(-2 * h);
    Numbers rate(count);
    for (std::size_t i = 0; i < count; ++i) rate[i] = (8 * (at1[i] - at2[i]) - (at3[i] - at4[i])) / (12 * h);
    const double left = inner(at.gradient, v), right = inner(rate, r);
    const double size = std::sqrt(inner(rate, rate) * inner(r, r)) + std::fabs(left);
    check::that(std::fabs(left - right) <= 1e-8 * size,
                std::string(which.name) + ": " + check::show(left) + " and " + check::show(right), __FILE__, __LINE__);
    CHECK_NEAR(0.5 * inner(r, r), at.value, 1e-12 * at.value);
  }
}

TEST(the_energy_has_the_left_side_of_6_as_gradient) {
  for (const PcaCase& which : cases()) {
    if (which.joint) continue;
    Setup at(which);
    const naive::Numbers x(at.x.begin(), at.x.end());
    Numbers A(at.x.size());
    at.objective.energy_gradient(at.x.data(), A.data());
    const Real energy = at.problem.energy(x);
    CHECK_NEAR(static_cast<Real>(at.objective.describe(at.x.data()).energy), energy, 1e-12L * (1 + std::fabs(energy)));
    Real scale = 0;
    for (const double a : A) scale = std::max(scale, std::fabs(static_cast<Real>(a)));
    for (std::size_t i = 0; i < x.size(); i += 3) {
      naive::Numbers along(x.size(), 0);
      along[i] = 1;
      const auto slope = difference::slope([&](Real t) { return at.problem.energy(moved(x, along, t)); }, 1e-3L, 10 + energy);
      CHECK(difference::agrees(A[i], slope, 1e-12L * scale, scale));
      CHECK(!difference::agrees(A[i] + 1e-4L * scale, slope, 1e-12L * scale, scale));
    }
  }
}

TEST(half_stands_before_every_term) {
  // (9) as printed has it before the first one alone: its value differs as soon as there is a second level.
  Setup at(cases()[0]);
  const deep_pca::State state = at.objective.describe(at.x.data());
  CHECK_EQ(state.residuals.size(), std::size_t(2));
  CHECK_NEAR(state.residuals[0] + state.residuals[1], at.value, 1e-14 * at.value);
  CHECK(std::fabs(state.residuals[0] + 2.0 * state.residuals[1] - at.value) > 1e-3 * at.value);
}

TEST(the_primal_counts_the_lengths_of_columns) {
  for (const PcaCase& which : cases()) {
    Setup at(which);
    const deep_pca::State state = at.objective.describe(at.x.data());
    double primal = -state.energy, of_unit_columns = -state.energy;
    for (std::size_t j = 0; j < state.eigenvalues.size(); ++j) {
      const MatrixView<double> H = at.objective.manifold().block(at.x.data(), static_cast<Index>(j));
      for (Index c = 0; c < H.cols(); ++c) {
        const double lambda = state.eigenvalues[j][static_cast<std::size_t>(c)];
        for (Index i = 0; i < H.rows(); ++i) primal += 0.5 * lambda * H(i, c) * H(i, c);
        of_unit_columns += 0.5 * lambda;
      }
    }
    CHECK_NEAR(state.primal, primal, 1e-12 * (1.0 + std::fabs(primal)));
    CHECK(std::fabs(state.primal - of_unit_columns) > 1e-3);
  }
}

TEST(traces_are_those_of_stored_matrices) {
  for (const bool centred : {false, true}) {
    Setup at({"", naive::gaussian_levels(-0.7), centred}, 30);
    const deep_pca::State state = at.objective.describe(at.x.data());
    naive::Matrix<double> K(30, 30);
    full(naive::kernel_of(at.problem.levels[0].kernel), Points(at.X.view), K.view);
    double trace = 0.0, all = 0.0;
    for (Index i = 0; i < 30; ++i) {
      trace += K(i, i);
      for (Index j = 0; j < 30; ++j) all += K(i, j) / 30.0;
    }
    CHECK_NEAR(state.kernel_traces[0], centred ? trace - all : trace, 1e-11);
    Numbers A(at.x.size());
    at.objective.energy_gradient(at.x.data(), A.data());
    for (std::size_t j = 0; j < 2; ++j) {
      const Index level = static_cast<Index>(j);
      const MatrixView<const double> H = at.objective.manifold().block(std::as_const(at.x).data(), level);
      naive::Matrix<double> KH(30, H.cols());
      at.objective.product(at.x.data(), level + 1, H, KH.view);
      double captured = 0.0, total = 0.0;
      for (Index i = 0; i < 30; ++i) {
        for (Index c = 0; c < H.cols(); ++c) {
          captured += H(i, c) * KH(i, c);
          total += H(i, c) * at.objective.manifold().block(std::as_const(A).data(), level)(i, c);
        }
      }
      CHECK_NEAR(state.captured[j], captured, 1e-11 * std::fabs(captured));
      const double eta = at.problem.levels[j].eta;
      CHECK_NEAR(state.level_traces[j], state.kernel_traces[j] / eta + total - captured / eta, 1e-10);
    }
  }
}

TEST(a_point_that_was_seen_before_gives_the_same_bits) {
  Setup at(naive::pca_case("three levels"), 50);
  Numbers other = at.x, again(at.x.size());
  other[3] += 0.1;
  at.objective.evaluate(other.data(), nullptr);
  CHECK(at.objective.evaluate(at.x.data(), nullptr) == at.value);
  naive::Matrix<double> product(50, 2);
  at.objective.product(other.data(), 2, at.objective.manifold().block(std::as_const(other).data(), 1), product.view);
  CHECK(at.objective.evaluate(at.x.data(), again.data()) == at.value);
  CHECK(again == at.gradient);
}

TEST(any_number_of_threads_and_any_budget_give_the_same_bits) {
  for (const Index size : {150, 700}) {
    Numbers first;
    for (const std::uint64_t budget : {std::uint64_t(0), std::uint64_t(1) << 30}) {
      for (const int threads : {1, 2, 7}) {
        set_num_threads(threads);
        const naive::Matrix<double> X = naive::normal<double>(size, d, 14);
        deep_pca::TrainingObjective objective(Points(X.view), naive::engine_levels(naive::pca_case("three levels").levels),
                                              {deep_pca::Eigenvalues::eliminated, true, budget});
        const Numbers x = naive::normal<double>(objective.size(), 1, 15).numbers;
        Numbers gradient(x.size());
        gradient.push_back(objective.evaluate(x.data(), gradient.data()));
        if (first.empty()) first = gradient;
        CHECK(gradient == first);
      }
    }
    set_num_threads(0);
  }
}

TEST(inner_products_will_do_for_the_first_level) {
  const PcaCase which = cases()[0];
  Setup at(which, 30);
  naive::Matrix<double> inner(30, 30);
  for (Index i = 0; i < 30; ++i) {
    for (Index j = 0; j < 30; ++j) {
      for (Index k = 0; k < d; ++k) inner(i, j) += at.X.view(i, k) * at.X.view(j, k);
    }
  }
  deep_pca::TrainingObjective objective(InnerProducts<double>(inner.view), naive::engine_levels(which.levels));
  Numbers gradient(at.x.size());
  CHECK_NEAR(objective.evaluate(at.x.data(), gradient.data()), at.value, 1e-11 * at.value);
  for (std::size_t i = 0; i < gradient.size(); ++i) CHECK_NEAR(gradient[i], at.gradient[i], 1e-9);
}

TEST(points_that_are_not_finite_are_out_of_the_domain) {
  Setup at(cases()[0]);
  at.x[2] = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isnan(at.objective.evaluate(at.x.data(), at.gradient.data())));
  CHECK(std::isnan(at.gradient[0]));
}

TEST(levels_that_make_no_sense_are_refused) {
  const naive::Matrix<double> X = naive::normal<double>(6, 2, 16);
  const Points points(X.view);
  const Kernel kernel("gaussian", {1.0});
  CHECK_THROWS(std::invalid_argument, deep_pca::TrainingObjective(points, {}));
  CHECK_THROWS(std::invalid_argument, deep_pca::TrainingObjective(points, {{kernel, 0, 1.0}}));
  CHECK_THROWS(std::invalid_argument, deep_pca::TrainingObjective(points, {{kernel, 7, 1.0}}));
  CHECK_THROWS(std::invalid_argument, deep_pca::TrainingObjective(points, {{kernel, 2, 0.0}}));
  CHECK_THROWS(std::invalid_argument,
               deep_pca::TrainingObjective(points, {{Kernel("gaussian", {1.0}, {1.0, 1.0, 1.0}), 2, 1.0}}));
  deep_pca::TrainingObjective objective(points, {{kernel, 2, 1.0}});
  naive::Matrix<double> out(6, 2);
  CHECK_THROWS(std::invalid_argument, objective.product(nullptr, 2, X.view, out.view));
}

TEST_MAIN
