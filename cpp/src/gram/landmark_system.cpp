// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/landmark_system.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gram/rows.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/base/random.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/gram/normal.hpp"

namespace gramian {
namespace {

constexpr Index sketch_rows = 512;  // rows of the Gram matrix that are evaluated together
constexpr Index copies = 4;         // rows of a sketch that a sample is added to
constexpr Index columns_per_task = 256;

Matrix checked_weights(MatrixView<const double> weights, Index n) {
  if (weights.empty()) return {};
  require_shape(weights, n, 1, "weights");
  for (Index i = 0; i < n; ++i) require_not_negative(weights(i, 0), "weights");
  return Matrix::copy_of(weights);
}

/// Some rows of k(X, C) in float64, whatever the type of the points.
void evaluate(const Kernel& kernel, const Points& X, const Points& C, MatrixView<double> out) {
  if (X.scalar() == Scalar::float64) return full(kernel, X, C, out);
  Buffer<float> numbers(checked_product(out.rows(), out.cols()));
  full(kernel, X, C, MatrixView<float>(numbers.data(), out.rows(), out.cols()));
  for_entries(out, [&](Index i, Index j) { out(i, j) = static_cast<double>(numbers[i * out.cols() + j]); });
}

/// Where a sample is added to, and times what.
struct Copy {
  Index row;
  double factor;
};

/// What is drawn for each sample of a block, `copies` times.
class Draws {
 public:
  Draws(Index count, std::uint64_t seed) : count_(count), rows_(seed, 0), signs_(seed, 1), copies_(sketch_rows * copies) {}

  const Buffer<Copy>& of(Index first, Index some, const Matrix& weights) {
    for (Index i = 0; i < some * copies; ++i) {
      const auto number = static_cast<std::uint64_t>(first * copies + i);
      const double root = weights.empty() ? 1.0 : std::sqrt(weights(first + i / copies, 0));
      copies_[i] = {rows_.below(number, count_), ((signs_.bits(number) & 1) != 0 ? 0.5 : -0.5) * root};
    }
    return copies_;
  }

 private:
  Index count_;
  RandomStream rows_, signs_;
  Buffer<Copy> copies_;
};

/// evaluate(first, block): some rows of K, each once and in ascending order.
template <class Evaluate>
Matrix sketch_of(Index n, Index m, Index count, std::uint64_t seed, MatrixView<const double> weights, Evaluate evaluate) {
  require(count >= 1, "count must be at least 1");
  const Matrix w = checked_weights(weights, n);
  require_memory(bytes_of(count, m), "the sketch", "ask for fewer rows or landmarks");
  Draws draws(count, seed);
  Matrix out = Matrix::filled(count, m, 0.0), block(std::min(sketch_rows, n), m);
  for (Index first = 0; first < n; first += sketch_rows) {
    poll_stop();
    const Index some = std::min(sketch_rows, n - first);
    evaluate(first, rows_of(block.view(), 0, some));
    const Buffer<Copy>& drawn = draws.of(first, some, w);
    const double seconds = 1e-9 * static_cast<double>(some * copies * columns_per_task);
    parallel_for(count_pieces(m, columns_per_task), seconds, [&](Index task, int) {
      const Index from = task * columns_per_task, to = std::min(m, from + columns_per_task);
      for (Index i = 0; i < some * copies; ++i) {
        const Copy to_row = drawn[i];
        const double* const values = block.data() + (i / copies) * m;
        double* const sums = out.data() + to_row.row * m;
        for (Index c = from; c < to; ++c) sums[c] += to_row.factor * values[c];
      }
    });
  }
  return out;
}

}  // namespace

struct LandmarkSystem::Parts {
  using Rows = std::variant<Points, const RowSource*>;

  Parts(const Kernel& k, const Rows& samples, const Points& landmarks, const LandmarkBasis& coordinates, double shift,
        MatrixView<const double> w)
      : kernel(k), X(samples), C(landmarks), basis(&coordinates), alpha(shift), weights(checked_weights(w, size())) {
    require(C.size() == basis->landmarks(), "C must have the landmarks of the basis");
    require_positive(alpha, "alpha");
  }

  Index size() const {
    const auto* points = std::get_if<Points>(&X);
    return points != nullptr ? points->size() : std::get<const RowSource*>(X)->size();
  }

  /// out = T^-1 Kᵀ W (K a - Y)
  void pass(MatrixView<const double> a, MatrixView<const double> Y, MatrixView<double> out) const {
    Matrix image(a.rows(), a.cols());
    if (const auto* points = std::get_if<Points>(&X)) {
      normal_product(kernel, *points, C, a, weights.view(), Y, image.view());
    } else {
      normal_product(kernel, *std::get<const RowSource*>(X), C, a, weights.view(), Y, image.view());
    }
    basis->contract(image.view(), out);
  }

  Kernel kernel;
  Rows X;
  Points C;
  const LandmarkBasis* basis;
  double alpha;
  Matrix weights;
};

LandmarkSystem::LandmarkSystem(const Kernel& kernel, const Points& X, const Points& C, const LandmarkBasis& basis, double alpha,
                               MatrixView<const double> weights)
    : parts_(std::make_unique<Parts>(kernel, X, C, basis, alpha, weights)) {}
LandmarkSystem::LandmarkSystem(const Kernel& kernel, const RowSource& X, const Points& C, const LandmarkBasis& basis,
                               double alpha, MatrixView<const double> weights)
    : parts_(std::make_unique<Parts>(kernel, &X, C, basis, alpha, weights)) {}

LandmarkSystem::~LandmarkSystem() = default;
LandmarkSystem::LandmarkSystem(LandmarkSystem&&) noexcept = default;
LandmarkSystem& LandmarkSystem::operator=(LandmarkSystem&&) noexcept = default;

Index LandmarkSystem::size() const { return parts_->basis->rank(); }
double LandmarkSystem::unit_roundoff() const { return parts_->C.scalar() == Scalar::float32 ? 0x1p-24 : 0x1p-53; }

void LandmarkSystem::apply(MatrixView<const double> V, MatrixView<double> out) const {
  require_rows(V.rows(), V.cols(), size(), "V");
  require_shape(out, V.rows(), V.cols(), "out");
  Matrix a(parts_->C.size(), V.cols());
  parts_->basis->expand(V, a.view());
  parts_->pass(a.view(), {}, out);
  for_entries(out, [&](Index i, Index j) { out(i, j) += parts_->alpha * V(i, j); });
}

void LandmarkSystem::right_side(MatrixView<const double> Y, MatrixView<double> out) const {
  require_rows(Y.rows(), Y.cols(), parts_->size(), "Y");
  require_shape(out, size(), Y.cols(), "out");
  const Matrix zero = Matrix::filled(parts_->C.size(), Y.cols(), 0.0);
  parts_->pass(zero.view(), Y, out);
  for_entries(out, [&](Index i, Index j) { out(i, j) = -out(i, j); });
}

Matrix sketched_rows(const Kernel& kernel, const Points& X, const Points& C, Index count, std::uint64_t seed,
                     MatrixView<const double> weights) {
  return sketch_of(X.size(), C.size(), count, seed, weights,
                   [&](Index first, MatrixView<double> block) { evaluate(kernel, rows_of(X, first, block.rows()), C, block); });
}

Matrix sketched_rows(const Kernel& kernel, const RowSource& X, const Points& C, Index count, std::uint64_t seed,
                     MatrixView<const double> weights) {
  Matrix read(std::min(sketch_rows, X.size()), X.dimension());
  Buffer<float> rounded(C.scalar() == Scalar::float32 ? read.size() : 0);
  return sketch_of(X.size(), C.size(), count, seed, weights, [&](Index first, MatrixView<double> block) {
    const Index rows = block.rows(), d = X.dimension();
    X.read(first, rows_of(read.view(), 0, rows));
    if (C.scalar() == Scalar::float64) return evaluate(kernel, Points(rows_of(read.view(), 0, rows)), C, block);
    std::transform(read.data(), read.data() + rows * d, rounded.data(), [](double x) { return static_cast<float>(x); });
    evaluate(kernel, Points(MatrixView<const float>(rounded.data(), rows, d)), C, block);
  });
}

}  // namespace gramian
