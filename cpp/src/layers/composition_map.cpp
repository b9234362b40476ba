// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/layers/composition_map.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gramian/base/error.hpp"
#include "gramian/gram/adjoint.hpp"
#include "gramian/layers/composition.hpp"

namespace gramian {
namespace {

class CompositionMap final : public PointMap {
 public:
  CompositionMap(std::vector<TrainedLayer> layers, std::vector<double> shift, std::vector<double> scale)
      : layers_(std::move(layers)), shift_(std::move(shift)), scale_(std::move(scale)) {
    check();
  }

  Index inputs() const override {
    if (!layers_.empty()) return layers_.front().supports.cols();
    return static_cast<Index>(shift_.empty() ? scale_.size() : shift_.size());
  }
  Index outputs() const override { return layers_.empty() ? inputs() : layers_.back().layer.outputs(); }

  void apply(MatrixView<const double> X, MatrixView<double> images) const override {
    copy_rows(images_of(X, layers_.size()).back().view(), images);
  }
  void pull_back(MatrixView<const double> X, MatrixView<const double> images_bar, MatrixView<double> Xbar) const override;

 private:
  void check() const;
  std::vector<Matrix> images_of(MatrixView<const double> X, std::size_t count) const;

  std::vector<TrainedLayer> layers_;
  std::vector<double> shift_, scale_;
};

void CompositionMap::check() const {
  Index inputs = this->inputs();
  require(inputs > 0, "layers, shift and scale are empty: nothing says how many features points have");
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const TrainedLayer& at = layers_[l];
    const std::string name = "layer " + std::to_string(l + 1);
    require(at.layer.outputs() > 0, name + " has no terms");
    require_shape(at.supports.view(), at.supports.rows(), inputs, "the supports of a layer");
    require_shape(at.coefficients.view(), at.supports.rows(), at.layer.outputs(), "the coefficients of a layer");
    inputs = at.layer.outputs();
  }
  const auto fits = [&](const std::vector<double>& numbers) {
    return numbers.empty() || static_cast<Index>(numbers.size()) == this->inputs();
  };
  require(fits(shift_) && fits(scale_), "shift and scale must have a number for each feature of the points");
  for (const double number : scale_)
    require(std::isfinite(number) && number != 0.0, "scale has a 0 or a number that is not finite");
  for (const double number : shift_) require(std::isfinite(number), "shift has a number that is not finite");
}

/// What layers 1 .. count + 1 see.
std::vector<Matrix> CompositionMap::images_of(MatrixView<const double> X, std::size_t count) const {
  std::vector<Matrix> images;
  images.push_back(Matrix::copy_of(X));
  for_entries(images.front().view(), [&](Index i, Index k) {
    const auto feature = static_cast<std::size_t>(k);
    double& x = images.front()(i, k);
    if (!shift_.empty()) x -= shift_[feature];
    if (!scale_.empty()) x /= scale_[feature];
  });
  for (std::size_t l = 0; l < count; ++l) {
    const TrainedLayer& at = layers_[l];
    Matrix out(X.rows(), at.layer.outputs());
    Composition::apply_layer(at.layer, Points(std::as_const(images.back()).view()), Points(at.supports.view()),
                             at.coefficients.view(), out.view());
    images.push_back(std::move(out));
  }
  return images;
}

/// Of X_l = sum_m C_m Phi A_m, C_m = k_m(X_{l-1}, S): Cbar_m = Xbar_l (Phi A_m)^T.
void CompositionMap::pull_back(MatrixView<const double> X, MatrixView<const double> images_bar, MatrixView<double> Xbar) const {
  const std::vector<Matrix> images = images_of(X, layers_.empty() ? 0 : layers_.size() - 1);
  Matrix bar = Matrix::copy_of(images_bar);
  for (std::size_t l = layers_.size(); l-- > 0;) {
    const TrainedLayer& at = layers_[l];
    Matrix below = Matrix::filled(X.rows(), at.supports.cols(), 0.0), part(X.rows(), at.supports.cols());
    Matrix PhiA(at.coefficients.rows(), at.coefficients.cols());
    for (const LayerTerm& term : at.layer.terms) {
      term.A.apply(at.coefficients.view(), PhiA.view());
      const GramGradient<double> Cbar(std::as_const(bar).view(), std::as_const(PhiA).view());
      adjoint(term.kernel, Points(images[l].view()), Points(at.supports.view()), Cbar, part.view(), {});
      add_rows(part.view(), below.view());
    }
    bar = std::move(below);
  }
  for_entries(Xbar, [&](Index i, Index k) {
    Xbar(i, k) += scale_.empty() ? bar(i, k) : bar(i, k) / scale_[static_cast<std::size_t>(k)];
  });
}

}  // namespace

std::shared_ptr<const PointMap> composition_map(std::vector<TrainedLayer> layers, std::vector<double> shift,
                                                std::vector<double> scale) {
  return std::make_shared<CompositionMap>(std::move(layers), std::move(shift), std::move(scale));
}

}  // namespace gramian
