// SPDX-License-Identifier: BSD-3-Clause
// Tiles of all sizes, splits and weights, against the formulas with every matrix stored.
#include "gramian/models/embedding/objective.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/gram/adjoint.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/gemm.hpp"
#include "support/embedding_check.hpp"

using embedding_data::Data;
namespace embedding = gramian::embedding;
using gramian::Index;
using gramian::Kernel;
using gramian::MatrixView;
using naive::Matrix;

namespace {

/// The rows of the last batch, in its order: the first feature of a sample is its number.
class Rows final : public gramian::FeatureMap {
 public:
  Index inputs() const override { return 1; }
  Index outputs() const override { return 1; }
  Index parameter_count() const override { return 0; }
  std::vector<double> start(std::uint64_t) const override { return {}; }
  void forward(const double*, MatrixView<const double> X, MatrixView<double> Z, const gramian::FeaturePass&) override {
    rows.clear();
    for (Index i = 0; i < X.rows(); ++i) {
      rows.push_back(static_cast<Index>(X(i, 0)));
      Z(i, 0) = 1.0;
    }
  }
  void reverse(MatrixView<const double>, double*) override {}
  std::vector<Index> rows;
};

struct Batch {
  std::vector<Index> rows;
  Index training;
};

/// What an objective with these options evaluates.
Batch batch_of(const Data& data, const embedding::Batches& batches) {
  const Index n = data.X.view.rows();
  Matrix<double> numbers(n, 1);
  for (Index i = 0; i < n; ++i) numbers(i, 0) = static_cast<double>(i);
  gramian::embedding::LabelledSample sample = data.sample();
  sample.X = numbers.view;
  Rows rows;
  embedding::TrainingObjective objective(sample, nullptr, &rows, {}, batches, 5);
  objective.evaluate(objective.pack(1.0).data(), nullptr);
  const auto size = static_cast<double>(rows.rows.size());
  return {rows.rows, static_cast<Index>(size) - static_cast<Index>(std::llround(batches.validation_fraction * size))};
}

struct Reference {
  double value;
  std::vector<double> gradient;  // in the kernel's parameters and lambda
};

/// With K, Kbar and the product with K as they are written, and tau r for a kernel bounded by alpha^2.
Reference reference(const Data& data, const Batch& batch, const Kernel& kernel, double alpha, double lambda, double tau) {
  const Index n = static_cast<Index>(batch.rows.size()), t = batch.training, m = data.classes, d = data.X.view.cols();
  Matrix<double> X(n, d), K(n, n), B(t, t), V(t, m), P(n, m), Pbar(n, m), U(t, m), Kbar(n, n);
  std::vector<double> w;
  double total = 0.0, used = 0.0;
  for (Index i = 0; i < n; ++i) {
    const Index row = batch.rows[static_cast<std::size_t>(i)];
    w.push_back(data.weights.empty() ? 1.0 : data.weights[static_cast<std::size_t>(row)]);
    for (Index k = 0; k < d; ++k) X(i, k) = data.X.view(row, k);
    total += i < t ? w.back() : 0.0;
    used += 1.0;
  }
  const auto label = [&](Index i) { return data.labels[static_cast<std::size_t>(batch.rows[static_cast<std::size_t>(i)])]; };
  const auto root = [&](Index i) { return std::sqrt(w[static_cast<std::size_t>(i)]); };
  gramian::full(kernel, X.view, K.view);
  for (Index i = 0; i < t; ++i) {
    for (Index j = 0; j < t; ++j) B(i, j) = root(i) * K(i, j) * root(j) + (i == j ? total * lambda : 0.0);
    V(i, label(i)) = root(i);
  }
  gramian::cholesky_in_place(B.view, {0.0});
  gramian::cholesky_solve(B.view, V.view);
  Matrix<double> S(t, m);
  std::copy(V.numbers.begin(), V.numbers.end(), S.numbers.begin());
  for (Index i = 0; i < t; ++i) {
    for (Index c = 0; c < m; ++c) V(i, c) *= root(i);
  }
  gramian::gemm(1.0, MatrixView<const double>(K.view.data(), n, t, n, 1), V.view, 0.0, P.view);
  double square = 0.0, risk = 0.0;
  for (Index i = 0; i < t; ++i) {
    for (Index c = 0; c < m; ++c) square += V(i, c) * P(i, c);
  }
  const Index first = t < n ? t : 0;
  const double factor = used / static_cast<double>(n - first);
  for (Index i = first; i < n; ++i) {
    const double p = P(i, label(i)), weight = factor * w[static_cast<std::size_t>(i)];
    risk -= weight * std::log(std::min(1.0, std::max(1e-15, p)));
    if (p >= 1e-15 && p <= 1.0) Pbar(i, label(i)) = -weight / p;
  }
  const double c = tau * alpha / (2.0 * std::sqrt(square));
  gramian::gemm(1.0, MatrixView<const double>(K.view.data(), t, n, 1, n), Pbar.view, 0.0, U.view);
  for (Index i = 0; i < t; ++i) {
    for (Index k = 0; k < m; ++k) U(i, k) = root(i) * (U(i, k) + 2.0 * c * P(i, k));
  }
  gramian::cholesky_solve(B.view, U.view);
  double lambda_bar = 0.0;
  for (Index i = 0; i < t; ++i) {
    for (Index k = 0; k < m; ++k) {
      lambda_bar -= total * U(i, k) * S(i, k);
      Pbar(i, k) += c * V(i, k) - root(i) * U(i, k);
    }
  }
  const MatrixView<double> columns(Kbar.view.data(), n, t, n, 1);
  gramian::gemm(1.0, Pbar.view, gramian::transposed(V.view), 0.0, columns);
  Reference out{risk + tau * alpha * std::sqrt(square),
                gramian::adjoint(kernel, X.view, gramian::GramGradient<double>(Kbar.view), {})};
  out.gradient.push_back(lambda_bar);
  return out;
}

/// The derivative of alpha^2 in a parameter: it is a linear function of every factor, and of nothing else.
double supremum_slope(const Kernel& kernel, std::size_t p) {
  std::vector<double> doubled = kernel.parameters();
  doubled[p] *= 2.0;
  return (kernel.with_parameters(doubled).supremum() - kernel.supremum()) / kernel.parameters()[p];
}

void compare(const Data& data, const Kernel& base, const embedding::Batches& batches, double lambda, const std::string& what) {
  const Kernel kernel = 1.7 * base;
  const double alpha = std::sqrt(kernel.supremum());
  embedding::Criterion criterion;
  embedding::TrainingObjective objective(data.sample(), &kernel, nullptr, criterion, batches, 5);
  const std::vector<double> x = objective.pack(lambda);
  std::vector<double> gradient(x.size());
  const double value = objective.evaluate(x.data(), gradient.data());
  Reference wanted = reference(data, batch_of(data, batches), kernel, alpha, lambda, criterion.tau);
  for (std::size_t p = 0; p + 1 < x.size(); ++p)
    wanted.gradient[p] += criterion.tau * objective.last_terms().complexity * supremum_slope(kernel, p) / (2.0 * alpha * alpha);
  check::that(std::fabs(value - wanted.value) <= 1e-11 * value, what + ": not the value", __FILE__, __LINE__);
  std::vector<double> parameters = kernel.parameters();
  parameters.push_back(lambda);
  double scale = 0.0;
  for (std::size_t p = 0; p < x.size(); ++p) scale = std::max(scale, std::fabs(parameters[p] * wanted.gradient[p]));
  for (std::size_t p = 0; p < x.size(); ++p) {
    const double right = parameters[p] * wanted.gradient[p];
    check::that(std::fabs(gradient[p] - right) <= 1e-10 * scale,
                what + ": derivative " + std::to_string(p) + " is " + check::show(gradient[p]) + ", not " + check::show(right),
                __FILE__, __LINE__);
  }
  const std::size_t last = x.size() - 1;
  CHECK(std::fabs(gradient[last] - 1.001 * parameters[last] * wanted.gradient[last]) > 1e-10 * scale);  // it would be seen
}

std::vector<double> scales(Index d) {
  std::vector<double> all;
  for (Index k = 0; k < d; ++k) all.push_back(1.0 + 0.1 * static_cast<double>(k % 5));
  return all;
}

void weigh(Data& data) {
  for (std::size_t i = 0; i < data.labels.size(); ++i) data.weights.push_back(0.5 * static_cast<double>(i % 5));
}

}  // namespace

TEST(all_sizes_of_tiles) {
  for (const Index n : {24, 47, 48, 49, 120, 191, 192, 193, 288, 400, 401, 500, 577}) {
    const Data data(n, 3, 3, 91);
    for (const double validation : {0.0, 0.3, 0.6}) {
      const std::string what = std::to_string(n) + " samples, " + std::to_string(validation);
      compare(data, Kernel("gaussian", {0.4}, scales(3)), {0, validation}, 0.01, what);
      compare(data, Kernel("gaussian", {0.4}), {0, validation}, 0.01, what);
    }
  }
}

TEST(large_tiles) {
  Data data(3050, 2, 3, 92);
  compare(data, Kernel("gaussian", {0.4}, scales(2)), {}, 0.01, "3050 samples");
  weigh(data);
  compare(data, Kernel("gaussian", {0.4}, scales(2)), {0, 0.2}, 0.01, "weighted, with a split");
}

TEST(any_dimension) {
  for (const Index d : {1, 7, 8, 9, 16, 17, 24, 25, 40, 49, 100}) {
    const Data data(110, d, 3, 93);
    compare(data, Kernel("gaussian", {0.3 / static_cast<double>(d)}, scales(d)), {}, 0.01, std::to_string(d) + " features");
  }
}

TEST(any_number_of_classes) {
  for (const Index m : {2, 8, 9, 17, 23, 24, 25, 50}) {
    Data data(250, 2, m, 94);
    for (Index i = 0; i < 250; ++i) data.labels[static_cast<std::size_t>(i)] = (i * i) % m;
    for (const double validation : {0.0, 0.3})
      compare(data, Kernel("gaussian", {0.5}), {0, validation}, 0.01, std::to_string(m) + " classes");
  }
}

TEST(weights_of_any_size) {
  Data data(260, 2, 3, 95);
  weigh(data);
  for (const double validation : {0.0, 0.3}) {
    compare(data, Kernel("gaussian", {0.5}, scales(2)), {0, validation}, 0.01, "weighted");
    compare(data, Kernel("matern52", {0.9}, scales(2)), {0, validation}, 0.01, "weighted matern");
  }
  for (double& w : data.weights) w *= 1e-6;
  compare(data, Kernel("gaussian", {0.5}), {}, 0.01, "tiny weights");
}

TEST(other_kernels_in_large_problems) {
  const Data data(450, 3, 3, 96);
  for (const Kernel& kernel :
       {Kernel("matern32", {1.1}, scales(3)), Kernel("laplacian_l1", {0.4}, scales(3)),
        0.5 * (3.0 * Kernel("gaussian", {0.4}, scales(3))), Kernel("gaussian", {0.3}) * Kernel("cosine", {})}) {
    for (const double validation : {0.0, 0.3}) compare(data, kernel, {0, validation}, 0.02, "other");
  }
}

TEST(sizes_may_alternate) {
  // Workspaces of the whole and of batches do not disturb each other.
  const Data data(500, 3, 3, 97);
  const Kernel kernel = 1.2 * Kernel("gaussian", {0.4}, scales(3));
  embedding::TrainingObjective objective(data.sample(), &kernel, nullptr, {}, {130, 0.2});
  const std::vector<double> x = objective.pack(0.01);
  std::vector<double> whole(x.size()), batch(x.size()), again(x.size());
  const double value = objective.evaluate(x.data(), whole.data()), estimate = objective.sample(x.data(), 1, 1, batch.data());
  for (int round = 0; round < 2; ++round) {
    CHECK_EQ(objective.evaluate(x.data(), again.data()), value);
    CHECK(again == whole);
    CHECK_EQ(objective.sample(x.data(), 1, 1, again.data()), estimate);
    CHECK(again == batch);
  }
}

TEST(what_does_not_fit_is_refused_in_time) {
  const Data data(1200, 3, 3, 98);
  const Kernel kernel("gaussian", {0.4});
  embedding::TrainingObjective objective(data.sample(), &kernel, nullptr, {}, {60, 0.0});
  const std::vector<double> x = objective.pack(0.01);
  gramian::set_memory_limit(std::uint64_t(1) << 20);
  CHECK_THROWS(gramian::MemoryLimitError, objective.evaluate(x.data(), nullptr));
  CHECK(std::isfinite(objective.sample(x.data(), 1, 1, nullptr)));
  gramian::set_memory_limit(0);
  CHECK(std::isfinite(objective.evaluate(x.data(), nullptr)));
  CHECK_EQ(objective.failures(), 0);
}

TEST_MAIN
