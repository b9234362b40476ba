// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/autoencoder/feature_space_predictor.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gram/rows.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/gram/preimage.hpp"
#include "gramian/linalg/gemm.hpp"
#include "models/autoencoder/feature_space.hpp"
#include "models/autoencoder/reconstruction.hpp"
#include "models/layered/supports.hpp"

namespace gramian::autoencoder {
namespace {

constexpr Index rows_together = 16;

/// rows_together rows from the first one on, where there are fewer the last one again.
MatrixView<const double> padded_rows(MatrixView<const double> A, Index first, Room& room) {
  const MatrixView<double> out = room.take(rows_together, A.cols());
  for_entries(out, [&](Index i, Index j) { out(i, j) = A(std::min(first + i, A.rows() - 1), j); });
  return out;
}

}  // namespace

struct FeatureSpacePredictor::State {
  explicit State(FeatureSpaceParts own) : space(std::move(own)) {}

  const FeatureSpaceParts& parts() const { return space.parts(); }

  /// The system of the last layer, factorized by the first caller who needs it. Where this fails the next one tries again.
  const Reconstruction& system() const {
    const std::lock_guard<std::mutex> held(lock);
    if (!solved) solved = space.reconstruction();
    return *solved;
  }

  /// step(weights of reconstructions, first code, how many codes), for rows_together codes at a time: always so many rows, of
  /// which the last ones may repeat one, so that the bits of a row do not depend on how many there are.
  template <class Step>
  void for_weights(MatrixView<const double> codes, Step step) const {
    const Reconstruction& of = system();
    Room padded, inner;
    Matrix weights(rows_together, space.samples());
    for (Index first = 0; first < codes.rows(); first += rows_together) {
      poll_stop();
      const Index rows = std::min(rows_together, codes.rows() - first);
      of.weights(space.inputs_of_last(padded_rows(codes, first, padded), inner), weights.view());
      step(MatrixView<const double>(weights.view()), first, rows);
    }
  }

  FeatureSpace space;
  mutable std::mutex lock{};
  mutable std::unique_ptr<const Reconstruction> solved{};
};

FeatureSpaceParts parts_of(const Fit& fit, std::optional<Kernel> input_kernel, Samples training,
                           std::vector<double> squared_norms, SharedMatrix factor, Index code_layer,
                           std::vector<double> sample_weights) {
  FeatureSpaceParts parts;
  require(code_layer >= 1 && at(code_layer) <= fit.outputs.size(), "code_layer is that of no inner layer");
  parts.layers = supported_layers(fit, Samples::counted(training.size()));
  parts.codes = SharedMatrix::copy_of(fit.outputs[at(code_layer - 1)].view());
  parts.input_kernel = std::move(input_kernel);
  parts.training = std::move(training);
  parts.squared_norms = std::move(squared_norms);
  parts.factor = std::move(factor);
  parts.landmarks = fit.model.landmarks;
  parts.code_layer = code_layer;
  parts.sample_weights = std::move(sample_weights);
  return parts;
}

FeatureSpacePredictor::FeatureSpacePredictor(FeatureSpaceParts parts) : state_(std::make_shared<const State>(std::move(parts))) {}

const FeatureSpaceParts& FeatureSpacePredictor::parts() const { return state_->parts(); }

Index FeatureSpacePredictor::inputs(Verb verb) const {
  const FeatureSpace& space = state_->space;
  if (verb == Verb::transform) {
    if (space.has_points()) return space.parts().training.dimension();
    return space.equal_squares() ? space.samples() : 0;
  }
  return verb == Verb::inverse_transform && space.has_points() ? space.code_size() : 0;
}

Index FeatureSpacePredictor::outputs(Verb verb) const {
  if (inputs(verb) == 0) return 0;
  return verb == Verb::transform ? state_->space.code_size() : state_->space.parts().training.dimension();
}

void FeatureSpacePredictor::compute(Verb verb, const Points& X, MatrixView<double> out) const {
  const FeatureSpace& space = state_->space;
  if (verb == Verb::inverse_transform) {
    require(!X.sparse(), "codes must be dense");
    return copy_rows(reconstruct(X.float64()).points.view(), out);
  }
  if (space.has_points()) return space.encode(X, out);
  require(!X.sparse(), "kernel values must be dense");
  for_blocks(X.size(), space.samples(), [&](Index first, Index rows) {
    const Matrix squares = Matrix::filled(rows, 1, space.parts().squared_norms.front());
    const Matrix cross = space.with_supports(rows_of(X.float64(), first, rows));
    space.encode(KernelValues{cross.view(), squares.view()}, rows_of(out, first, rows));
  });
}

void FeatureSpacePredictor::encode(const KernelValues& samples, MatrixView<double> out) const {
  state_->space.encode(samples, out);
}

void FeatureSpacePredictor::reconstruction_errors(const KernelValues& samples, MatrixView<double> out) const {
  const FeatureSpace& space = state_->space;
  space.check(samples, space.samples());
  require_shape(out, samples.cross.rows(), 1, "out");
  Matrix codes(samples.cross.rows(), space.code_size());
  for_blocks(codes.rows(), space.samples(), [&](Index first, Index rows) {
    const Matrix supports = space.with_supports(rows_of(samples.cross, first, rows));
    space.encode(KernelValues{supports.view(), rows_of(samples.squares, first, rows)}, rows_of(codes.view(), first, rows));
  });
  Room cross, squares;
  Matrix errors(rows_together, 1);
  state_->for_weights(codes.view(), [&](MatrixView<const double> weights, Index first, Index rows) {
    const auto K = padded_rows(samples.cross, first, cross), own = padded_rows(samples.squares, first, squares);
    feature_distortion(weights, K, own, space.parts().factor.view(), errors.view());
    copy_rows(rows_of(errors.view(), 0, rows), rows_of(out, first, rows));
  });
}

void FeatureSpacePredictor::reconstruction_errors(const Points& X, MatrixView<double> out) const {
  const FeatureSpace& space = state_->space;
  require_shape(out, X.size(), 1, "out");
  for_blocks(X.size(), space.samples(), [&](Index first, Index rows) {
    const FeatureSpace::Values values = space.values(rows_of(X, first, rows));
    reconstruction_errors(values.view(), rows_of(out, first, rows));
  });
}

void FeatureSpacePredictor::weights(MatrixView<const double> codes, MatrixView<double> out) const {
  state_->space.check_codes(codes);
  require_shape(out, codes.rows(), state_->space.samples(), "out");
  state_->for_weights(
      codes, [&](MatrixView<const double> some, Index first, Index rows) { copy_rows(some, rows_of(out, first, rows)); });
}

std::vector<Index> FeatureSpacePredictor::nearest(MatrixView<const double> codes) const {
  const FeatureSpace& space = state_->space;
  space.check_codes(codes);
  const MatrixView<const double> C = space.parts().factor.view();  // C C^T in place of the Gram matrix, which is not kept
  std::vector<Index> found;
  Room sums;
  state_->for_weights(codes, [&](MatrixView<const double> some, Index, Index rows) {
    const auto images = sums.take(rows_together, C.cols());
    gemm(1.0, some, C, 0.0, images);
    const auto nearest = nearest_candidates(rows_of(images, 0, rows), transposed(C), space.squares());
    found.insert(found.end(), nearest.indices.begin(), nearest.indices.end());
  });
  return found;
}

std::vector<Index> FeatureSpacePredictor::nearest(MatrixView<const double> codes, const KernelValues& candidates) const {
  const FeatureSpace& space = state_->space;
  space.check_codes(codes);
  space.check(candidates, space.samples());
  std::vector<Index> found;
  state_->for_weights(codes, [&](MatrixView<const double> some, Index, Index rows) {
    const auto nearest = nearest_candidates(rows_of(some, 0, rows), transposed(candidates.cross), candidates.squares);
    found.insert(found.end(), nearest.indices.begin(), nearest.indices.end());
  });
  return found;
}

std::vector<Index> FeatureSpacePredictor::nearest(MatrixView<const double> codes, const Points& candidates) const {
  return nearest(codes, state_->space.values(candidates).view());
}

Reconstructed FeatureSpacePredictor::reconstruct(MatrixView<const double> codes) const {
  const FeatureSpace& space = state_->space;
  require(space.has_points(), "without training samples there are none to return");
  space.check_codes(codes);
  Reconstructed found;
  if (!space.has_sums()) {
    found.points = space.rows(nearest(codes));
    return found;
  }
  found.points = Matrix(codes.rows(), space.parts().training.dimension());
  if (space.parts().input_kernel->traits().inner_product) {
    Matrix points(rows_together, found.points.cols());
    state_->for_weights(codes, [&](MatrixView<const double> some, Index first, Index rows) {
      space.sums(some, points.view());
      copy_rows(rows_of(points.view(), 0, rows), rows_of(found.points.view(), first, rows));
    });
    return found;
  }
  for_blocks(codes.rows(), space.samples(), [&](Index first, Index rows) {
    Matrix some(rows, space.samples());
    weights(rows_of(codes, first, rows), some.view());
    found.astray += space.preimages(some.view(), rows_of(found.points.view(), first, rows));
  });
  return found;
}

}  // namespace gramian::autoencoder
