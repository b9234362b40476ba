// SPDX-License-Identifier: BSD-3-Clause
#include "layers/composition_input.hpp"

#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/linalg/gemm.hpp"

namespace gramian {
// One evaluation on an origin: what can't be evaluated is refused in the engine's own words.
void check_kernel(const Kernel& kernel, const PointSource& input) {
  const bool dense = !input.inner() && !input.points().sparse();
  const Matrix origin = Matrix::filled(1, dense ? input.points().dimension() : 1, 0.0);
  Matrix value(1, 1);
  dense ? full(kernel, Points(origin.view()), value.view()) : full(kernel, InnerProducts<double>(origin.view()), value.view());
}

FirstLayerGrams::FirstLayerGrams(const PointSource& input, const std::vector<Index>& supports, std::vector<Kernel> kernels,
                                 std::uint64_t& budget)
    : input_(input), supports_(supports), kernels_(std::move(kernels)), kept_(kernels_.size()) {
  pairs_ = std::make_unique<PickedPairs>(input, std::vector<Index>(), supports);
  const std::uint64_t bytes = bytes_of(input.size(), static_cast<Index>(supports.size()));
  bool all = true;
  for (std::size_t m = 0; m < kernels_.size(); ++m) {
    if (bytes > budget) {
      all = false;
      continue;
    }
    budget -= bytes;
    kept_[m] = Matrix(input.size(), static_cast<Index>(supports.size()));
    pairs_->full(kernels_[m], kept_[m].view());
  }
  if (all) pairs_.reset();
}

FirstLayerGrams::FirstLayerGrams(const FirstLayerGrams& whole, const std::vector<Index>& samples)
    : input_(whole.input_), supports_(whole.supports_), kernels_(whole.kernels_) {
  for (const Matrix& all : whole.kept_) {
    kept_.push_back(all.empty() ? Matrix() : picked(all.view(), samples));
  }
  if (whole.pairs_) pairs_ = std::make_unique<PickedPairs>(input_, samples, supports_);
}

void FirstLayerGrams::product(Index term, MatrixView<const double> V, MatrixView<double> out) const {
  if (kept(term).empty()) return pairs_->product(kernel(term), V, out);
  gemm(1.0, kept(term).view(), V, 0.0, out);
}

void FirstLayerGrams::transposed(Index term, MatrixView<const double> U, MatrixView<double> out) const {
  if (kept(term).empty()) return pairs_->transposed(kernel(term), U, out);
  gemm(1.0, gramian::transposed(kept(term).view()), U, 0.0, out);
}

}  // namespace gramian
