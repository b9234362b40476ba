// SPDX-License-Identifier: BSD-3-Clause
#include "models/deep_pca/levels.hpp"

#include <optional>
#include <utility>

#include "gramian/eigen.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/gram/plan.hpp"
#include "gram/kept_tiles.hpp"
#include "gram/source.hpp"
#include "kernels/node.hpp"
#include "linalg/tall.hpp"

namespace gramian::deep_pca {
namespace {

TileStorage take_storage(Index n, std::uint64_t& budget) {
  const auto bytes = static_cast<std::uint64_t>(KeptTiles::bytes(n));
  if (bytes > budget) return TileStorage::recompute;
  budget -= bytes;
  return TileStorage::keep;
}

double sum_of(const Matrix& A) { return as_eigen(A.view()).sum(); }

/// Of one number for each sample.
double sum_of(Matrix& numbers, const SampleMeasure& measure) {
  measure.repeat(numbers.view(), numbers.view());
  return sum_of(numbers);
}

/// Any kernel on the data.
class DataLevel : public LevelTrace {
 public:
  DataLevel(const Kernel& kernel, const PointSource& input, TileStorage storage, const SampleMeasure& measure)
      : kernel_(kernel), input_(input), plan_(plan_of(kernel, input, storage)), measure_(measure) {}

  void move_to(MatrixView<const double>) override {}
  void gradient(MatrixView<const double> H, MatrixView<double> H_bar, MatrixView<double>) override { plan_.product(H, H_bar); }
  void hessian(MatrixView<const double>, MatrixView<const double> Hdot, MatrixView<const double>, MatrixView<double> H_bar,
               MatrixView<double>) override {
    plan_.product(Hdot, H_bar);
  }
  void product(MatrixView<const double> V, MatrixView<double> out) override { plan_.product(V, out); }
  double trace() override {
    Matrix diagonals(input_.size(), 1);
    diagonal(kernel_, input_, diagonals.view());
    return sum_of(diagonals, measure_);
  }

 private:
  Kernel kernel_;
  PointSource input_;
  GramPlan plan_;
  const SampleMeasure& measure_;
};

/// Any kernel on features.
class FeatureLevel : public LevelTrace {
 public:
  FeatureLevel(const Kernel& kernel, Index dimension, TileStorage storage, const SampleMeasure& measure)
      : kernel_(kernel), plan_(kernel, measure.size(), dimension, storage), measure_(measure) {}

  void move_to(MatrixView<const double> X) override {
    X_ = Matrix::copy_of(X);
    plan_.move_to(X);
  }
  /// [DKPCA] (7), (8): X_bar = G, the first role of the adjoint of k with Kbar = H Hᵀ.
  void gradient(MatrixView<const double> H, MatrixView<double> H_bar, MatrixView<double> X_bar) override {
    plan_.trace_gradient(H, H_bar, X_bar);
  }
  void hessian(MatrixView<const double> H, MatrixView<const double> Hdot, MatrixView<const double> Xdot, MatrixView<double> H_bar,
               MatrixView<double> X_bar) override {
    plan_.trace_hessian(H, Hdot, Xdot, H_bar, X_bar);
  }
  void product(MatrixView<const double> V, MatrixView<double> out) override { plan_.product(V, out); }
  double trace() override {
    Matrix diagonals(X_.rows(), 1);
    diagonal(kernel_, Points(std::as_const(X_).view()), diagonals.view());
    return sum_of(diagonals, measure_);
  }

 private:
  Kernel kernel_;
  GramPlan plan_;
  const SampleMeasure& measure_;
  Matrix X_;
};

/// [DKPCA] Ex. 3.1: K = X Xᵀ is never formed, H_bar = X (XᵀH), X_bar = H (HᵀX). With weights X is scaled: S K S is S X (S X)ᵀ.
class LinearLevel : public LevelTrace {
 public:
  LinearLevel() = default;
  explicit LinearLevel(MatrixView<const double> X) : X_(Matrix::copy_of(X)) {}

  void move_to(MatrixView<const double> X) override { X_ = Matrix::copy_of(X); }
  void gradient(MatrixView<const double> H, MatrixView<double> H_bar, MatrixView<double> X_bar) override {
    const SmallMatrix inner = tall_cross(X(), H);
    tall_product(X(), inner, H_bar);
    if (!X_bar.empty()) tall_product(H, inner.transpose(), X_bar);
  }
  void hessian(MatrixView<const double> H, MatrixView<const double> Hdot, MatrixView<const double> Xdot, MatrixView<double> H_bar,
               MatrixView<double> X_bar) override {
    SmallMatrix inner_dot = tall_cross(X(), Hdot);
    if (!Xdot.empty()) {
      const SmallMatrix inner = tall_cross(X(), H);
      inner_dot += tall_cross(Xdot, H);
      tall_product(Xdot, inner, H_bar);
      tall_product(X(), inner_dot, H_bar, H_bar);
      tall_product(Hdot, inner.transpose(), X_bar);
      tall_product(H, inner_dot.transpose(), X_bar, X_bar);
    } else {
      tall_product(X(), inner_dot, H_bar);
    }
  }
  void product(MatrixView<const double> V, MatrixView<double> out) override { tall_product(X(), tall_cross(X(), V), out); }
  double trace() override { return tall_cross(X(), X()).trace(); }

 private:
  MatrixView<const double> X() const { return X_.view(); }
  Matrix X_;
};

void make_room(Matrix& room, MatrixView<const double> A) {
  if (room.rows() != A.rows() || room.cols() != A.cols()) room = Matrix(A.rows(), A.cols());
}

/// S K(S^-1 X) S, by scaling what goes in and what comes out: S V in, S times what comes out, and S^-1 for all that is in X.
class WeightedLevel : public LevelTrace {
 public:
  WeightedLevel(std::unique_ptr<LevelTrace> level, const SampleMeasure& measure) : level_(std::move(level)), measure_(measure) {}

  void move_to(MatrixView<const double> X) override { level_->move_to(unscaled(X)); }
  void gradient(MatrixView<const double> H, MatrixView<double> H_bar, MatrixView<double> X_bar) override {
    level_->gradient(scaled(H, first_), H_bar, X_bar);
    finish(H_bar, X_bar);
  }
  void hessian(MatrixView<const double> H, MatrixView<const double> Hdot, MatrixView<const double> Xdot, MatrixView<double> H_bar,
               MatrixView<double> X_bar) override {
    level_->hessian(scaled(H, first_), scaled(Hdot, second_), unscaled(Xdot), H_bar, X_bar);
    finish(H_bar, X_bar);
  }
  void product(MatrixView<const double> V, MatrixView<double> out) override {
    level_->product(scaled(V, first_), out);
    measure_.scale(out, out);
  }
  double trace() override { return level_->trace(); }

 private:
  MatrixView<const double> scaled(MatrixView<const double> A, Matrix& room) const {
    make_room(room, A);
    measure_.scale(A, room.view());
    return std::as_const(room).view();
  }
  MatrixView<const double> unscaled(MatrixView<const double> A) {
    if (A.empty()) return A;
    make_room(points_, A);
    measure_.unscale(A, points_.view());
    return std::as_const(points_).view();
  }
  void finish(MatrixView<double> H_bar, MatrixView<double> X_bar) const {
    measure_.scale(H_bar, H_bar);
    measure_.unscale(X_bar, X_bar);
  }

  std::unique_ptr<LevelTrace> level_;
  const SampleMeasure& measure_;
  Matrix first_, second_, points_;
};

/// C K C where C takes means away, by centring what goes in and what comes out.
class CentredLevel : public LevelTrace {
 public:
  CentredLevel(std::unique_ptr<LevelTrace> level, const SampleMeasure& measure) : level_(std::move(level)), measure_(measure) {}

  void move_to(MatrixView<const double> X) override {
    level_->move_to(X);
    trace_.reset();
  }
  void gradient(MatrixView<const double> H, MatrixView<double> H_bar, MatrixView<double> X_bar) override {
    level_->gradient(centred(H, first_), H_bar, X_bar);
    measure_.centre_scaled(H_bar, H_bar);
  }
  void hessian(MatrixView<const double> H, MatrixView<const double> Hdot, MatrixView<const double> Xdot, MatrixView<double> H_bar,
               MatrixView<double> X_bar) override {
    level_->hessian(centred(H, first_), centred(Hdot, second_), Xdot, H_bar, X_bar);
    measure_.centre_scaled(H_bar, H_bar);
  }
  void product(MatrixView<const double> V, MatrixView<double> out) override {
    level_->product(centred(V, first_), out);
    measure_.centre_scaled(out, out);
  }
  void uncentred(MatrixView<const double> V, MatrixView<double> out) override { level_->product(V, out); }
  /// A sweep, so it is kept.
  double trace() override {
    if (trace_) return *trace_;
    const Matrix ones = measure_.ones();
    Matrix sums(ones.rows(), 1);
    level_->product(ones.view(), sums.view());
    measure_.scale(sums.view(), sums.view());
    trace_ = level_->trace() - sum_of(sums) / measure_.total();
    return *trace_;
  }

 private:
  MatrixView<const double> centred(MatrixView<const double> A, Matrix& room) const {
    make_room(room, A);
    measure_.centre_scaled(A, room.view());
    return std::as_const(room).view();
  }

  std::unique_ptr<LevelTrace> level_;
  const SampleMeasure& measure_;
  Matrix first_, second_;
  std::optional<double> trace_;
};

/// A level that knows nothing of weights, with them.
std::unique_ptr<LevelTrace> weighted(std::unique_ptr<LevelTrace> level, const SampleMeasure& measure) {
  if (measure.plain()) return level;
  return std::make_unique<WeightedLevel>(std::move(level), measure);
}

std::unique_ptr<LevelTrace> wrapped(std::unique_ptr<LevelTrace> level, bool centred, const SampleMeasure& measure) {
  if (!centred) return level;
  return std::make_unique<CentredLevel>(std::move(level), measure);
}

std::unique_ptr<LevelTrace> linear_level(MatrixView<const double> X, const SampleMeasure& measure) {
  if (measure.plain()) return std::make_unique<LinearLevel>(X);
  Matrix scaled(X.rows(), X.cols());
  measure.scale(X, scaled.view());
  return std::make_unique<LinearLevel>(scaled.view());
}

}  // namespace

std::unique_ptr<LevelTrace> make_first_level(const Kernel& kernel, const PointSource& input, bool centred,
                                             const SampleMeasure& measure, std::uint64_t& budget) {
  const Index n = input.size();
  // Two thin products instead of one with half of K.
  if (kernel.traits().inner_product && !input.inner() && !input.points().sparse() && 4 * input.points().dimension() <= n) {
    return wrapped(linear_level(input.points().float64(), measure), centred, measure);
  }
  auto level = std::make_unique<DataLevel>(kernel, input, take_storage(n, budget), measure);
  return wrapped(weighted(std::move(level), measure), centred, measure);
}

std::unique_ptr<LevelTrace> make_upper_level(const Kernel& kernel, Index dimension, bool centred, const SampleMeasure& measure,
                                             std::uint64_t& budget) {
  if (kernel.traits().inner_product) return wrapped(std::make_unique<LinearLevel>(), centred, measure);
  auto level = std::make_unique<FeatureLevel>(kernel, dimension, take_storage(measure.size(), budget), measure);
  return wrapped(weighted(std::move(level), measure), centred, measure);
}

}  // namespace gramian::deep_pca
