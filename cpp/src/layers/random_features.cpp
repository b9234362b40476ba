// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/layers/random_features.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gramian/base/error.hpp"
#include "gramian/linalg/gemm.hpp"
#include "isa/dispatch.hpp"
#include "layers/feature_arguments.hpp"
#include "layers/random_spectrum.hpp"
#include "linalg/inner_product.hpp"

namespace gramian {
namespace {

constexpr double seconds_per_number = 3e-9;

/// The circle's points at these angles, the library's way where the fast one ends.
void points_on_circle(const double* angles, Index count, double* cosines, double* sines) {
  if (isa::choice().table->feature.cosine_sine(count, angles, cosines, sines)) return;
  for (Index i = 0; i < count; ++i) {
    cosines[i] = std::cos(angles[i]);
    sines[i] = std::sin(angles[i]);
  }
}

class RandomFourierFeatures final : public FeatureMap {
 public:
  RandomFourierFeatures(const Kernel& kernel, Index inputs, Index count, std::uint64_t seed)
      : spectrum_(kernel, inputs), half_(count / 2), base_(spectrum_.base(half_, inputs, seed)), frequencies_(half_, inputs) {}

  Index inputs() const override { return base_.cols(); }
  Index outputs() const override { return 2 * half_; }
  Index parameter_count() const override { return spectrum_.parameter_count(); }
  std::vector<double> start(std::uint64_t) const override { return spectrum_.start(); }
  bool bounded() const override { return true; }

  void forward(const double* theta, MatrixView<const double> X, MatrixView<double> Z, const FeaturePass&) override {
    check_forward(*this, X, Z);
    rows_ = -1;  // until all is there
    require_pass_memory(X.rows(), half_);
    for (Index k = 0; k < inputs(); ++k) {
      const double factor = spectrum_.column_factor(theta, k);
      for (Index j = 0; j < half_; ++j) frequencies_(j, k) = base_(j, k) * factor;
    }
    amplitude_ = std::sqrt(spectrum_.height(theta) / static_cast<double>(half_));
    const MatrixView<double> angles = angles_.take(X.rows(), half_);
    gemm(1.0, X, transposed(MatrixView<const double>(frequencies_.view())), 0.0, angles);
    for_row_blocks(X.rows(), half_, seconds_per_number, [&](Index, Index first, Index last) {
      Circle circle(half_);
      for (Index i = first; i < last; ++i) {
        circle.at(&angles(i, 0));
        for (Index j = 0; j < half_; ++j) Z(i, j) = amplitude_ * circle.cosines[static_cast<std::size_t>(j)];
        for (Index j = 0; j < half_; ++j) Z(i, half_ + j) = amplitude_ * circle.sines[static_cast<std::size_t>(j)];
      }
    });
    X_ = X;
    rows_ = X.rows();
  }

  void reverse(MatrixView<const double> Zbar, double* theta_bar) override {
    check_reverse(*this, rows_, Zbar);
    require_pass_memory(rows_, half_);
    const MatrixView<double> angles = angles_.take(rows_, half_), angle_bar = angle_bar_.take(rows_, half_);
    std::vector<double> height_bar(static_cast<std::size_t>(blocks_of(rows_, half_)));
    for_row_blocks(rows_, half_, seconds_per_number, [&](Index block, Index first, Index last) {
      Circle circle(half_);
      double sum = 0.0;
      for (Index i = first; i < last; ++i) {
        circle.at(&angles(i, 0));
        for (Index j = 0; j < half_; ++j) {
          const auto at = static_cast<std::size_t>(j);
          const double c = amplitude_ * circle.cosines[at], s = amplitude_ * circle.sines[at];
          angle_bar(i, j) = c * Zbar(i, half_ + j) - s * Zbar(i, j);
          sum += c * Zbar(i, j) + s * Zbar(i, half_ + j);
        }
      }
      height_bar[static_cast<std::size_t>(block)] = sum / 2.0;  // features grow with the root of the height
    });
    double height = 0.0;
    for (const double part : height_bar) height += part;
    spectrum_.reverse(height, column_gradients(angle_bar), theta_bar);
  }

 private:
  struct Circle {
    explicit Circle(Index count) : cosines(static_cast<std::size_t>(count)), sines(cosines.size()) {}
    void at(const double* angles) { points_on_circle(angles, static_cast<Index>(cosines.size()), cosines.data(), sines.data()); }
    std::vector<double> cosines, sines;
  };

  /// Angles are sums over columns of what is proportional to the columns' factors.
  std::vector<double> column_gradients(MatrixView<const double> angle_bar) {
    if (!spectrum_.has_length_scales()) return {inner_product(angle_bar, angles_.take(rows_, half_))};
    Matrix frequencies_bar(half_, inputs());
    gemm(1.0, transposed(angle_bar), X_, 0.0, frequencies_bar.view());
    std::vector<double> out(static_cast<std::size_t>(inputs()));
    for (Index j = 0; j < half_; ++j) {
      for (Index k = 0; k < inputs(); ++k) out[static_cast<std::size_t>(k)] += frequencies_bar(j, k) * frequencies_(j, k);
    }
    return out;
  }

  RandomSpectrum spectrum_;
  Index half_;
  Matrix base_;

  // Of the last forward pass:
  Matrix frequencies_;
  double amplitude_ = 0.0;
  Index rows_ = -1;
  MatrixView<const double> X_;
  Room angles_;

  Room angle_bar_;
};

}  // namespace

std::unique_ptr<FeatureMap> random_fourier_features(const Kernel& kernel, Index inputs, Index count, std::uint64_t seed) {
  require(inputs >= 1, "random Fourier features: the data need at least one feature");
  require(count >= 2 && count % 2 == 0,
          "random Fourier features: their number must be even and at least 2, got " + std::to_string(count));
  return std::make_unique<RandomFourierFeatures>(kernel, inputs, count, seed);
}

}  // namespace gramian
