// SPDX-License-Identifier: BSD-3-Clause
// Where the training of an autoencoder begins: coefficients made layer by layer, and the kernels that were left open.
//
// It must not begin near 0. Phi = 0 is a local minimum whatever the data are, [KAE] App. A.4: equal codes make the last layer a
// constant, and a constant last layer tells the codes nothing. Small random coefficients begin on that plateau. Here the codes of
// each layer have unit variance from the beginning, in directions that its kernel can express with a small norm, and the kernel
// of the next layer is as wide as these codes are apart: its Gram matrix is far from constant, and so is the last layer.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gram/rows.hpp"
#include "gramian/base/matrix.hpp"
#include "gramian/models/autoencoder.hpp"
#include "models/layered/start.hpp"

namespace gramian::autoencoder {

/// Makes all starts. Of many supports some are taken, drawn once and for all: the others begin with coefficients of 0, so that a
/// start costs the same for any n.
class Starts {
 public:
  /// The first start decides the kernels of layers without terms; it is not made if it is to be warm.
  Starts(const PointSource& input, const std::vector<LayerPlan>& layers, const Options& options, bool warm);

  const std::vector<KernelLayer>& layers() const { return layers_; }

  /// Flat coefficients of the variables of a start; may be called by several threads at once. layers: those that are variables.
  std::vector<double> coefficients(const LayeredTask& task, Index start, Composition& layers) const;

 private:
  /// Functions of the average kernel of a layer, by their coefficients, one a column: with variance 1 and uncorrelated.
  struct Components {
    Matrix coefficients;
    Index count() const { return coefficients.cols(); }
  };
  /// Coefficients of a layer, and its codes of the rows.
  struct LayerBegin {
    Matrix Phi, codes;
  };

  Components components(const PickedRows& rows, const KernelLayer& layer) const;
  Matrix functions(const Components& of, Index count, Index start, Index l) const;
  LayerBegin begin(const PickedRows& rows, const Components& of, const KernelLayer& layer, Index start, Index l) const;
  std::vector<double> walk(Index start, std::vector<KernelLayer>& layers) const;
  bool random(Index start) const { return start > 0 || kind_ == Start::random; }

  Start kind_;
  bool any_random_;
  std::uint64_t seed_;
  Index supports_;
  std::vector<Index> rows_;  // of the supports
  PickedRows input_;
  std::vector<LayerPlan> wanted_;
  std::vector<KernelLayer> layers_;
  Components first_;  // of layer 1: the same for all starts
  std::vector<double> first_start_;
};

}  // namespace gramian::autoencoder
