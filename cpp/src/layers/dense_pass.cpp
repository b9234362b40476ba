// SPDX-License-Identifier: BSD-3-Clause
#include "layers/dense_pass.hpp"

#include <algorithm>
#include <vector>

#include "gramian/base/random.hpp"
#include "isa/dispatch.hpp"
#include "layers/feature_arguments.hpp"

namespace gramian {
namespace {

constexpr double seconds_per_number = 1e-9, seconds_per_random_number = 5e-9;

void activate(Activation activation, Index count, double* x) {
  const isa::FeatureOps& ops = isa::choice().table->feature;
  if (activation == Activation::sigmoid) ops.sigmoid(count, x);
  if (activation == Activation::tanh) ops.tanh(count, x);
  if (activation == Activation::relu) {
    for (Index i = 0; i < count; ++i) x[i] = x[i] < 0.0 ? 0.0 : x[i];  // NaN stays
  }
}

/// d *= a', as a function of the layer's output, where the activation gave a * kept.
template <class Slope>
void multiply(Index count, const double* a, double* d, Slope slope) {
  for (Index i = 0; i < count; ++i) d[i] *= slope(a[i]);
}

void multiply_slopes(Activation activation, double kept, Index count, const double* a, double* d) {
  switch (activation) {
    case Activation::identity: return;
    case Activation::relu: return multiply(count, a, d, [](double y) { return y > 0.0 ? 1.0 : 0.0; });
    case Activation::sigmoid: return multiply(count, a, d, [kept](double y) { return y * kept * (1.0 - y * kept); });
    case Activation::tanh: return multiply(count, a, d, [kept](double y) { return 1.0 - y * kept * (y * kept); });
  }
}

double cost(const DropoutMask& mask) { return mask.drops() ? seconds_per_random_number : seconds_per_number; }

}  // namespace

DropoutMask::DropoutMask(const DenseLayer& layer, Index number, const FeaturePass& pass)
    : share_(pass.training ? layer.dropout : 0.0), outputs_(layer.outputs), seed_(pass.seed) {
  // Streams that no small number names: others may draw from the same seed.
  stream_ = philox4x64({pass.step, static_cast<std::uint64_t>(number), 0, 0}, {pass.seed, 0x64726f706f7574u})[0];
}

void DropoutMask::apply(Index first, Index last, double* numbers) const {
  if (!drops()) return;
  const double growth = 1.0 / (1.0 - share_);
  const RandomStream random(seed_, stream_);
  std::vector<double> uniform(static_cast<std::size_t>(outputs_));
  for (Index i = first; i < last; ++i, numbers += outputs_) {
    random.fill_uniform({uniform.data(), 1, outputs_}, static_cast<std::uint64_t>(i * outputs_));
    for (Index j = 0; j < outputs_; ++j) {
      numbers[j] = uniform[static_cast<std::size_t>(j)] < share_ ? 0.0 : numbers[j] * growth;
    }
  }
}

void finish_layer(const DenseLayer& layer, const double* bias, const DropoutMask& mask, MatrixView<double> A) {
  for_row_blocks(A.rows(), A.cols(), cost(mask), [&](Index, Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      double* row = &A(i, 0);
      for (Index j = 0; j < A.cols(); ++j) row[j] += bias[j];
    }
    activate(layer.activation, (last - first) * A.cols(), &A(first, 0));
    mask.apply(first, last, &A(first, 0));
  });
}

void reverse_layer(const DenseLayer& layer, const DropoutMask& mask, MatrixView<const double> A, MatrixView<double> D,
                   double* bias_bar) {
  const Index h = D.cols(), blocks = blocks_of(D.rows(), h);
  const double kept = mask.drops() ? 1.0 - layer.dropout : 1.0;
  std::vector<double> sums(static_cast<std::size_t>(blocks * h));
  for_row_blocks(D.rows(), h, cost(mask), [&](Index block, Index first, Index last) {
    mask.apply(first, last, &D(first, 0));
    multiply_slopes(layer.activation, kept, (last - first) * h, &A(first, 0), &D(first, 0));
    double* sum = sums.data() + block * h;
    for (Index i = first; i < last; ++i) {
      for (Index j = 0; j < h; ++j) sum[j] += D(i, j);
    }
  });
  std::fill_n(bias_bar, h, 0.0);
  for (Index block = 0; block < blocks; ++block) {
    for (Index j = 0; j < h; ++j) bias_bar[j] += sums[static_cast<std::size_t>(block * h + j)];
  }
}

}  // namespace gramian
