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

/// Any kernel on the data.
class DataLevel : public LevelTrace {
 public:
  DataLevel(const Kernel& kernel, const PointSource& input, TileStorage storage)
      : kernel_(kernel), input_(input), plan_(plan_of(kernel, input, storage)) {}

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
    return sum_of(diagonals);
  }

 private:
  Kernel kernel_;
  PointSource input_;
  GramPlan plan_;
};

/// Any kernel on features.
class FeatureLevel : public LevelTrace {
 public:
  FeatureLevel(const Kernel& kernel, Index size, Index dimension, TileStorage storage)
      : kernel_(kernel), plan_(kernel, size, dimension, storage) {}

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
    return sum_of(diagonals);
  }

 private:
  Kernel kernel_;
  GramPlan plan_;
  Matrix X_;
};

/// [DKPCA] Ex. 3.1: K = X Xᵀ is never formed, H_bar = X (XᵀH), X_bar = H (HᵀX).
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

/// C K C with C = I - 11ᵀ/n, by centring what goes in and what comes out.
class CentredLevel : public LevelTrace {
 public:
  CentredLevel(std::unique_ptr<LevelTrace> level, Index size) : level_(std::move(level)), size_(size) {}

  void move_to(MatrixView<const double> X) override {
    level_->move_to(X);
    trace_.reset();
  }
  void gradient(MatrixView<const double> H, MatrixView<double> H_bar, MatrixView<double> X_bar) override {
    level_->gradient(centred(H, first_), H_bar, X_bar);
    centre_columns(H_bar, H_bar);
  }
  void hessian(MatrixView<const double> H, MatrixView<const double> Hdot, MatrixView<const double> Xdot, MatrixView<double> H_bar,
               MatrixView<double> X_bar) override {
    level_->hessian(centred(H, first_), centred(Hdot, second_), Xdot, H_bar, X_bar);
    centre_columns(H_bar, H_bar);
  }
  void product(MatrixView<const double> V, MatrixView<double> out) override {
    level_->product(centred(V, first_), out);
    centre_columns(out, out);
  }
  void uncentred(MatrixView<const double> V, MatrixView<double> out) override { level_->product(V, out); }
  /// A sweep, so it is kept.
  double trace() override {
    if (trace_) return *trace_;
    const Matrix ones = Matrix::filled(size_, 1, 1.0);
    Matrix sums(size_, 1);
    level_->product(ones.view(), sums.view());
    trace_ = level_->trace() - sum_of(sums) / static_cast<double>(size_);
    return *trace_;
  }

 private:
  static MatrixView<const double> centred(MatrixView<const double> A, Matrix& room) {
    if (room.rows() != A.rows() || room.cols() != A.cols()) room = Matrix(A.rows(), A.cols());
    centre_columns(A, room.view());
    return std::as_const(room).view();
  }

  std::unique_ptr<LevelTrace> level_;
  Index size_;
  Matrix first_, second_;
  std::optional<double> trace_;
};

std::unique_ptr<LevelTrace> wrapped(std::unique_ptr<LevelTrace> level, Index size, bool centred) {
  if (!centred) return level;
  return std::make_unique<CentredLevel>(std::move(level), size);
}

}  // namespace

std::unique_ptr<LevelTrace> make_first_level(const Kernel& kernel, const PointSource& input, bool centred,
                                             std::uint64_t& budget) {
  const Index n = input.size();
  // Two thin products instead of one with half of K.
  if (kernel.traits().inner_product && !input.inner() && !input.points().sparse() && 4 * input.points().dimension() <= n) {
    return wrapped(std::make_unique<LinearLevel>(input.points().float64()), n, centred);
  }
  return wrapped(std::make_unique<DataLevel>(kernel, input, take_storage(n, budget)), n, centred);
}

std::unique_ptr<LevelTrace> make_upper_level(const Kernel& kernel, Index size, Index dimension, bool centred,
                                             std::uint64_t& budget) {
  if (kernel.traits().inner_product) return wrapped(std::make_unique<LinearLevel>(), size, centred);
  return wrapped(std::make_unique<FeatureLevel>(kernel, size, dimension, take_storage(size, budget)), size, centred);
}

}  // namespace gramian::deep_pca
