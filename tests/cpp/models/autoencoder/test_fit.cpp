// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/autoencoder.hpp"

#include <Eigen/SVD>
#include <algorithm>

#include "gramian/base/parallel.hpp"
#include "support/autoencoder_data.hpp"
#include "support/check.hpp"
#include "support/spectral.hpp"

using namespace gramian;
using namespace autoencoder_data;
using Dense = spectral::Matrix;
using spectral::Vector;

namespace {

const Kernel linear("linear", {});

/// Data with singular values that are apart.
struct Linear {
  Linear() : X(spectral::normal(25, 5, 11)) {
    for (Index j = 0; j < 5; ++j) X.col(j) *= std::pow(0.6, static_cast<double>(j));
    X.array() += 0.3;  // not centred
    svd.compute(X, Eigen::ComputeThinU | Eigen::ComputeThinV);
  }
  double n() const { return static_cast<double>(X.rows()); }
  Vector sigma() const { return svd.singularValues(); }
  /// (1/n) sum of the squares after the first p: Eckart and Young.
  double least_distortion(Index p) const { return sigma().tail(5 - p).squaredNorm() / n(); }
  Dense leading(Index p) const { return svd.matrixU().leftCols(p); }

  Dense X;
  Eigen::JacobiSVD<Dense> svd;
};

const TrainingLimits precise = limits_of(5000, 1e-11, 0.0);

/// Of the space that u spans the codes leave this much out.
double angle(const Dense& codes, const Dense& u) {
  const Dense Q = Eigen::JacobiSVD<Dense>(codes, Eigen::ComputeThinU | Eigen::ComputeThinV).matrixU();
  return (u - Q * (Q.transpose() * u)).norm();
}

Dense dense(const gramian::Matrix& A) { return as_eigen(A.view()); }

}  // namespace

// [KAE] Sec. 3.2.1: without penalties the optimal code spans the leading components, and reconstructs as Eckart and Young say.
TEST(a_linear_autoencoder_without_penalties_is_kernel_pca) {
  const Linear data;
  const autoencoder::Fit fit = autoencoder::fit(Points(view(data.X)), view(data.X),
                                                layers_with({linear, linear}, {2, 5}, {0.0, 0.0}), options_of(false, precise));
  CHECK(fit.joint);  // nothing to eliminate with
  CHECK_NEAR(fit.loss, data.least_distortion(2), 1e-9);
  CHECK(angle(dense(fit.outputs[0]), data.leading(2)) <= 1e-4);  // the distortion knows the angle's square
  // The start, from components of the centred Gram matrix, is another point.
  CHECK(fit.result.history.front().value > data.least_distortion(2) + 1e-3);
}

// [KAE] Sec. 3.2.1: A* = U_p S^(-3/2), B* = U V^T encode as sqrt(sigma_i) u_i.
TEST(the_coefficients_of_the_paper_encode_as_the_paper_says) {
  const Linear data;
  const Index n = data.X.rows(), p = 2;
  const Dense A = data.leading(p) * data.sigma().head(p).array().pow(-1.5).matrix().asDiagonal();
  const Dense B = data.svd.matrixU() * data.svd.matrixV().transpose();
  std::vector<double> x(static_cast<std::size_t>(n * (p + 5)));
  as_eigen(MatrixView<double>(x.data(), n, p)) = A;
  as_eigen(MatrixView<double>(x.data() + n * p, n, 5)) = B;
  const autoencoder::Fit fit = autoencoder::fit(
      Points(view(data.X)), view(data.X), layers_with({linear, linear}, {p, 5}, {0.0, 0.0}), options_of(true, limits_of(0)), x);
  const Dense expected = data.leading(p) * data.sigma().head(p).cwiseSqrt().asDiagonal();
  CHECK((dense(fit.outputs[0]) - expected).norm() <= 1e-12);
  CHECK_NEAR(fit.loss, data.least_distortion(p), 1e-13);
}

// The penalised problem has a closed form too: 2 sqrt(lambda_1 lambda_2) is a weight on the nuclear norm of the product of both
// layers, so that sigma_i is kept by the part m_i = 1 - n sqrt(lambda_1 lambda_2) / sigma_i^2, and balanced layers give the codes
// (lambda_2 / lambda_1)^(1/4) sqrt(m_i) sigma_i u_i, up to a rotation: kernel PCA's scores as penalties vanish.
TEST(a_penalised_linear_autoencoder_has_scaled_scores_of_kernel_pca) {
  const Linear data;
  for (const double lambda : {1e-2, 1e-4}) {
    const Index p = 3;
    const double lambda_1 = lambda, lambda_2 = 4.0 * lambda, weight = std::sqrt(lambda_1 * lambda_2);
    double objective = data.least_distortion(p);
    Vector codes(p);
    for (Index i = 0; i < p; ++i) {
      const double square = data.sigma()(i) * data.sigma()(i), kept = 1.0 - data.n() * weight / square;
      objective += square * (1.0 - kept) * (1.0 - kept) / data.n() + 2.0 * weight * kept;
      codes(i) = std::sqrt(std::sqrt(lambda_2 / lambda_1) * kept * square);
    }
    const Dense expected = data.leading(p) * codes.asDiagonal();
    for (const bool joint : {false, true}) {
      if (lambda < 1e-3 && joint) continue;  // ill-conditioned: one more reason to eliminate
      const autoencoder::Options options = options_of(joint, precise);
      const autoencoder::Fit fit = autoencoder::fit(Points(view(data.X)), view(data.X),
                                                    layers_with({linear, linear}, {p, 5}, {lambda_1, lambda_2}), options);
      CHECK_NEAR(fit.objective, objective, 1e-9 * objective);
      const Dense Z = dense(fit.outputs[0]);
      CHECK((Z * Z.transpose() - expected * expected.transpose()).norm() <= 1e-4 * expected.squaredNorm());
      CHECK_NEAR(fit.squared_norms[0] * lambda_1, fit.squared_norms[1] * lambda_2, 1e-5 * objective);  // balanced
      CHECK(fit.stationarity <= 1e-6);
    }
  }
}

// K2AE with K_in = X X^T: the data are seen through their inner products alone, [KAE] Sec. 4.3.
TEST(inner_products_and_sparse_rows_give_the_same_fit_as_vectors) {
  const auto X = samples("moons", 40);
  naive::Matrix<double> inner(40, 40);
  std::vector<Index> row_start, columns;
  for (Index i = 0; i <= 40; ++i) row_start.push_back(2 * i);
  for (Index i = 0; i < 80; ++i) columns.push_back(i % 2);
  for (Index i = 0; i < 40; ++i) {
    for (Index j = 0; j < 40; ++j) inner(i, j) = X.view(i, 0) * X.view(j, 0) + X.view(i, 1) * X.view(j, 1);
  }
  const autoencoder::Options options = iterations_of(15);
  const std::vector<LayerPlan> layers = open_layers({2, 2}, 1e-3);
  const autoencoder::Fit vectors = autoencoder::fit(Points(X.view), X.view, layers, options);
  const SparseRows<double> sparse{40, 2, row_start.data(), columns.data(), X.view.data()};
  for (const PointSource& input : {PointSource(InnerProducts<double>(inner.view)), PointSource(Points(sparse))}) {
    const autoencoder::Fit same = autoencoder::fit(input, X.view, layers, options);
    CHECK_NEAR(same.objective, vectors.objective, 1e-6 * vectors.objective);
    CHECK(largest_difference(same.outputs[0].view(), vectors.outputs[0].view()) <= 1e-3);
  }
}

// Both end within what their certificates promise: where penalties make the objective curve by 2 lambda in the space of
// functions, a point with a gradient of length s is at most s^2 / (4 lambda) above its minimum.
TEST(alternating_reaches_the_point_of_the_eliminated_form) {
  const auto X = samples("moons", 30);
  const double lambda = 3e-3;
  const std::vector<LayerPlan> layers = open_layers({1, 2, 2}, lambda);
  const autoencoder::Fit eliminated = autoencoder::fit(Points(X.view), X.view, layers, options_of(false, precise));
  auto solver = limits_of(20000, 1e-8, 0.0).solver<autoencoder::AlternatingOptions>();
  for (const Index steps : {1, 3}) {
    solver.inner_steps = steps;
    autoencoder::Options options;
    options.training = autoencoder::EliminatedTraining{solver};
    const autoencoder::Fit alternating = autoencoder::fit(Points(X.view), X.view, layers, options);
    const double most = std::max(alternating.stationarity, eliminated.stationarity);
    CHECK(most <= 1e-4);
    CHECK_NEAR(alternating.objective, eliminated.objective, most * most / (4.0 * lambda) + 1e-12);
    CHECK(eliminated.objective < 0.7 * eliminated.result.history.front().value);
    CHECK(!alternating.joint);
    bool falls = true;
    for (std::size_t i = 1; i < alternating.result.history.size(); ++i) {
      falls = falls && alternating.result.history[i].value <= alternating.result.history[i - 1].value + 1e-15;
    }
    CHECK(falls);
  }
}

TEST(all_samples_as_landmarks_are_the_exact_model) {
  const auto X = samples("circles", 36);
  const std::vector<LayerPlan> layers = open_layers({2, 2}, 1e-3);
  for (const bool joint : {false, true}) {
    autoencoder::Options options = options_of(joint, limits_of(3));
    const autoencoder::Fit exact = autoencoder::fit(Points(X.view), X.view, layers, options);
    for (Index i = 0; i < 36; ++i) options.landmarks.push_back(i);
    const autoencoder::Fit same = autoencoder::fit(Points(X.view), X.view, layers, options);
    for (std::size_t i = 0; i < exact.result.history.size(); ++i) {
      CHECK_NEAR(same.result.history[i].value, exact.result.history[i].value, 1e-8);
      CHECK_NEAR(same.result.history[i].gradient_norm, exact.result.history[i].gradient_norm, 1e-6);
    }
    CHECK_NEAR(same.stationarity, exact.stationarity, 1e-3 * exact.stationarity);
    CHECK(largest_difference(same.outputs[0].view(), exact.outputs[0].view()) <= 1e-5);
    CHECK(largest_difference(same.model.supports[0].view(), same.outputs[0].view()) <= 1e-12);
  }
}

namespace {

autoencoder::Fit solve(const naive::Matrix<double>& X, bool joint, const autoencoder::Options& options) {
  std::vector<double> x = naive::normal<double>(X.view.rows() * (joint ? 3 : 1), 1, 12).numbers;
  for (double& phi : x) phi *= 0.05;
  const Kernel kernel("gaussian", {1.0});
  return autoencoder::fit(Points(X.view), X.view, layers_with({kernel, kernel}, {1, 2}, {1e-3, 1e-3}), options, x);
}

void check_lower(const char* name, const autoencoder::Fit& fit) {
  const double before = fit.result.history.front().value;
  check::that(fit.objective < 0.8 * before, std::string(name) + ": " + check::show(before) + " to " + check::show(fit.objective),
              __FILE__, __LINE__);
}

}  // namespace

TEST(every_solver_lowers_the_objective) {
  const auto X = samples("moons", 45);
  const TrainingLimits limits = limits_of(200);
  for (const bool joint : {false, true}) {
    check_lower("lbfgs", solve(X, joint, options_of<LbfgsOptions>(joint, limits)));
    check_lower("adam", solve(X, joint, options_of<AdamOptions>(joint, limits)));
    check_lower("gradient descent", solve(X, joint, options_of<GradientDescentOptions>(joint, limits)));
  }
  autoencoder::Options options;
  options.training = autoencoder::EliminatedTraining{limits.solver<autoencoder::AlternatingOptions>()};
  check_lower("alternating", solve(X, false, options));
  options.training = autoencoder::JointTraining{limits.solver<SgdOptions>(), nullptr, 15};
  check_lower("sgd", solve(X, true, options));
  options.training = autoencoder::JointTraining{limits.solver<AdamOptions>(), nullptr, 15};
  check_lower("stochastic adam", solve(X, true, options));
}

TEST(any_loss_can_be_trained_jointly) {
  const auto X = samples("moons", 40);
  autoencoder::Options options;
  options.training = autoencoder::JointTraining{limits_of(60).solver<LbfgsOptions>(), epsilon_insensitive_loss(0.1)};
  const autoencoder::Fit fit = autoencoder::fit(Points(X.view), X.view, open_layers({1, 2}, 1e-5), options);
  CHECK(fit.objective < fit.result.history.front().value);
  CHECK_NEAR(fit.objective, fit.loss + 1e-5 * (fit.squared_norms[0] + fit.squared_norms[1]), 1e-12);
}

TEST(a_fit_is_described_as_it_is) {
  const auto X = samples("circles", 40);
  for (const bool joint : {false, true}) {
    const autoencoder::Options options = options_of(joint, limits_of(40));
    const autoencoder::Fit fit = autoencoder::fit(Points(X.view), X.view, open_layers({2, 1, 2}, 1e-4), options);
    CHECK_NEAR(fit.objective, fit.result.value, 1e-13);
    const double norms = fit.squared_norms[0] + fit.squared_norms[1] + fit.squared_norms[2];
    CHECK_NEAR(fit.objective, fit.loss + 1e-4 * norms, 1e-12);
    CHECK_EQ(fit.outputs.size(), 2u);
    CHECK_EQ(fit.model.supports.size(), 2u);
    CHECK_EQ(fit.model.coefficients.size(), 3u);
    naive::Matrix<double> reconstructed(40, 2);
    apply_layers(fit.model, 1, 3, Points(X.view), Points(X.view), reconstructed.view);
    double sum = 0.0;
    for (Index i = 0; i < 40; ++i) {
      for (Index j = 0; j < 2; ++j) sum += std::pow(reconstructed(i, j) - X.view(i, j), 2);
    }
    CHECK_NEAR(sum / 40.0, fit.loss, 1e-9);
  }
}

TEST(a_warm_start_goes_on_where_the_last_fit_ended) {
  const auto X = samples("moons", 40);
  autoencoder::Options options = iterations_of(20);
  std::vector<LayerPlan> layers = open_layers({2, 2}, 1e-5);
  const autoencoder::Fit first = autoencoder::fit(Points(X.view), X.view, layers, options);
  for (std::size_t l = 0; l < 2; ++l) layers[l].terms = first.model.layers[l].terms;
  options.restarts = 2;
  const autoencoder::Fit second = autoencoder::fit(Points(X.view), X.view, layers, options, first.result.x);
  CHECK(second.objective < first.objective);
  CHECK_EQ(second.restart_values.size(), 2u);
  options = iterations_of(0);
  const autoencoder::Fit same = autoencoder::fit(Points(X.view), X.view, layers, options, first.result.x);
  CHECK_EQ(same.objective, first.objective);
  CHECK(same.result.x == first.result.x);
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const auto X = samples("circles", 70);
  for (const bool joint : {false, true}) {
    for (const Index restarts : {1, 3}) {
      autoencoder::Options options = options_of(joint, limits_of(12));
      options.restarts = restarts;
      std::vector<autoencoder::Fit> fits;
      for (const int threads : {1, 2, 7}) {
        set_num_threads(threads);
        fits.push_back(autoencoder::fit(Points(X.view), X.view, open_layers({2, 2}, 1e-4), options));
      }
      set_num_threads(0);
      for (const autoencoder::Fit& fit : fits) {
        CHECK(fit.result.x == fits[0].result.x);
        CHECK(fit.restart_values == fits[0].restart_values);
        CHECK_EQ(fit.objective, fits[0].objective);
        CHECK_EQ(fit.stationarity, fits[0].stationarity);
        CHECK_EQ(*std::min_element(fit.restart_values.begin(), fit.restart_values.end()), fit.result.value);
      }
    }
  }
}

namespace {

class Counter final : public Observer {
 public:
  explicit Counter(Index most) : most_(most) {}
  bool observe(const Iteration&, const double*) override { return ++seen < most_; }
  Index seen = 0;

 private:
  Index most_;
};

}  // namespace

TEST(an_observer_sees_all_starts_and_may_end_them) {
  const auto X = samples("circles", 30);
  autoencoder::Options options = options_of(false, limits_of(4, 1e-6, 0.0));
  options.restarts = 3;
  Counter all(1000), few(6);
  CHECK_EQ(autoencoder::fit(Points(X.view), X.view, open_layers({1, 2}, 1e-4), options, {}, &all).restart_values.size(), 3u);
  CHECK_EQ(all.seen, 12);
  CHECK_EQ(autoencoder::fit(Points(X.view), X.view, open_layers({1, 2}, 1e-4), options, {}, &few).restart_values.size(), 2u);
  CHECK_EQ(few.seen, 6);
}

TEST(small_and_degenerate_data_are_trained) {
  for (const Index n : {1, 2, 3}) {
    const auto X = naive::normal<double>(n, 3, 6);
    const autoencoder::Fit fit = autoencoder::fit(Points(X.view), X.view, open_layers({2, 3}, 1e-3), iterations_of(500));
    CHECK(std::isfinite(fit.objective) && fit.objective <= fit.result.history.front().value);
  }
  auto X = samples("gaussians", 24);
  for (Index i = 12; i < 24; ++i) X(i, 0) = X(i - 12, 0), X(i, 1) = 7.0;
  for (Index i = 0; i < 12; ++i) X(i, 1) = 7.0;
  const autoencoder::Fit fit = autoencoder::fit(Points(X.view), X.view, open_layers({2, 2}, 1e-6), iterations_of(500));
  CHECK(fit.objective < fit.result.history.front().value);
  // Equal samples have equal codes.
  for (Index i = 0; i < 12; ++i) CHECK_NEAR(fit.outputs[0](i, 0), fit.outputs[0](i + 12, 0), 1e-7);
}

TEST_MAIN
