// SPDX-License-Identifier: BSD-3-Clause
// Weighted samples against samples that are repeated.
#include "models/deep_pca/measure.hpp"

#include <limits>
#include <stdexcept>
#include <vector>

#include "support/check.hpp"
#include "support/repeated_rows.hpp"

using namespace gramian;
using deep_pca::SampleMeasure;
using repeated::Dense;
using Operation = void (SampleMeasure::*)(MatrixView<const double>, MatrixView<double>) const;

namespace {

constexpr Index n = 7;

Dense applied(const SampleMeasure& measure, Operation operation, const Dense& A) {
  Dense out(A.rows(), A.cols()), own = A;
  (measure.*operation)(view(A), view(out));
  (measure.*operation)(view(own), view(own));
  CHECK((own - out).norm() <= 1e-15);
  return out;
}

}  // namespace

TEST(scaled_rows_are_as_long_as_repeated_ones) {
  const std::vector<double> counts = repeated::counts(n);
  const SampleMeasure measure(n, counts);
  const Dense A = spectral::normal(n, 3, 1), E = repeated::selection(counts);
  const Dense scaled = applied(measure, &SampleMeasure::scale, A);
  CHECK((scaled.transpose() * scaled - (E * A).transpose() * (E * A)).norm() <= 1e-13);
  CHECK((applied(measure, &SampleMeasure::unscale, scaled) - A).norm() <= 1e-14);
  CHECK((applied(measure, &SampleMeasure::repeat, A) - E.transpose() * E * A).norm() <= 1e-14);
  CHECK_EQ(measure.total(), static_cast<double>(E.rows()));
  CHECK(measure.numbers() == counts);
}

TEST(means_are_those_of_repeated_rows) {
  const std::vector<double> counts = repeated::counts(n);
  const SampleMeasure measure(n, counts);
  const Dense A = spectral::normal(n, 3, 2), all = repeated::rows(view(A), counts);
  const Eigen::RowVectorXd mean = all.colwise().mean();
  CHECK((measure.mean(view(A)) - mean).norm() <= 1e-14);
  const Dense centred = applied(measure, &SampleMeasure::centre, A);
  CHECK((repeated::rows(view(centred), counts) - (all.rowwise() - mean)).norm() <= 1e-13);
  const Dense scaled = applied(measure, &SampleMeasure::centre_scaled, applied(measure, &SampleMeasure::scale, A));
  CHECK((scaled - applied(measure, &SampleMeasure::scale, centred)).norm() <= 1e-13);
  const Matrix ones = measure.ones();
  CHECK((as_eigen(ones.view()).transpose() * scaled).norm() <= 1e-13);
  Dense lowered = A;
  measure.lower_constants(view(A), 2.0, view(lowered));
  const auto u = as_eigen(ones.view());
  CHECK((lowered - (A - 2.0 * u * (u.transpose() * A) / measure.total())).norm() <= 1e-13);
}

TEST(without_weights_nothing_is_rounded) {
  const SampleMeasure measure(n, std::vector<double>());
  const Dense A = spectral::normal(n, 2, 3);
  CHECK(measure.plain());
  CHECK_EQ(measure.total(), static_cast<double>(n));
  for (const Operation operation : {&SampleMeasure::scale, &SampleMeasure::unscale, &SampleMeasure::repeat}) {
    CHECK(applied(measure, operation, A) == A);
  }
  CHECK(applied(measure, &SampleMeasure::centre, A) == applied(measure, &SampleMeasure::centre_scaled, A));
  CHECK((applied(measure, &SampleMeasure::centre, A) - (A.rowwise() - A.colwise().mean())).norm() <= 1e-14);
  const Matrix ones = measure.ones();
  CHECK(as_eigen(ones.view()).isOnes());
}

TEST(what_counts_nothing_is_refused) {
  for (const double wrong : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    CHECK_THROWS(std::invalid_argument, SampleMeasure(2, std::vector<double>{1.0, wrong}));
  }
  CHECK_THROWS(std::invalid_argument, SampleMeasure(3, std::vector<double>{1.0, 2.0}));
}

TEST_MAIN
