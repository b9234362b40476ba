// SPDX-License-Identifier: BSD-3-Clause
#include "layers/composition_state.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>

#include "base/view_ops.hpp"
#include "gram/kept_tiles.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/finite.hpp"
#include "gramian/base/memory.hpp"
#include "linalg/inner_product.hpp"

namespace gramian {
namespace {

/// All arguments are checked before a sweep: what is refused in it are numbers that have overflowed.
template <class Run>
void or_overflow(Index l, Run run) {
  try {
    run();
  } catch (const std::invalid_argument& error) {
    throw NumericalError("layer " + std::to_string(l) + ": " + error.what());
  }
}

void require_images(bool holds, Index l) {
  if (holds) return;
  throw NumericalError("layer " + std::to_string(l) + ": an image is not finite: scale the coefficients or the input down");
}

/// Contiguous numbers are looked through faster.
MatrixView<const double> in_one_row(MatrixView<const double> contiguous) {
  return {contiguous.data(), contiguous.empty() ? 0 : 1, contiguous.rows() * contiguous.cols()};
}

bool is_zero(const OutputOperator& A) {
  return std::all_of(A.eigenvalues().begin(), A.eigenvalues().end(), [](double value) { return value == 0.0; });
}

/// Tiles of points that move are used once more, by the reverse sweep: to read them from beyond the cache takes longer than to
/// evaluate them again, unless there are many coordinates.
bool worth_keeping(std::uint64_t bytes, Index dimension) {
  constexpr std::uint64_t cache = 16u << 20;
  constexpr Index many = 16;
  return bytes <= cache || dimension >= many;
}

}  // namespace

CompositionShare::CompositionShare(const PointSource& what, std::vector<KernelLayer> all_layers, CompositionOptions options)
    : input(what), layers(std::move(all_layers)), landmarks(std::move(options.landmarks)), offsets{0} {
  for (const KernelLayer& layer : layers) {
    const Index size = checked_product(supports(), layer.outputs());
    offsets.push_back(offsets.back() + size);
    terms.emplace_back();
    std::copy_if(layer.terms.begin(), layer.terms.end(), std::back_inserter(terms.back()),
                 [](const LayerTerm& term) { return !is_zero(term.A); });
  }
  if (!landmarks.empty()) landmark_input.emplace(input, landmarks);
  decide_storage(options.memory_budget);
}

void CompositionShare::decide_storage(std::uint64_t budget) {
  const auto bytes = static_cast<std::uint64_t>(KeptTiles::bytes(supports()));
  budget = std::min(budget, memory_report().limit);  // what does not fit is recomputed, not refused
  for (std::size_t l = 0; l < terms.size(); ++l) {
    storage.emplace_back();
    for (std::size_t m = 0; m < terms[l].size(); ++m) {
      const bool keep = bytes <= budget && (l == 0 || worth_keeping(bytes, layers[l - 1].outputs()));
      storage[l].push_back(keep ? TileStorage::keep : TileStorage::recompute);
      if (keep) budget -= bytes;
    }
    if (l > 0 || landmarks.empty()) continue;
    std::vector<Kernel> kernels;
    for (const LayerTerm& term : terms[0]) kernels.push_back(term.kernel);
    first.emplace(input, landmarks, std::move(kernels), budget);
  }
}

Composition::State::State(std::shared_ptr<const CompositionShare> what, const State* sibling)
    : share(std::move(what)),
      penalties(share->layers.size()),
      squared_norms(share->layers.size()),
      direction(share->offsets.back(), 1),
      coefficients(share->offsets.back(), 1) {
  for (Index l = 1; l <= depth(); ++l) {
    penalties[static_cast<std::size_t>(l - 1)] = share->layers[static_cast<std::size_t>(l - 1)].penalty;
    std::vector<TermWork> terms;
    const std::vector<LayerTerm>& given = share->terms[static_cast<std::size_t>(l - 1)];
    for (std::size_t m = 0; m < given.size(); ++m) terms.emplace_back(given[m], make_plan(l, m, sibling));
    layers.push_back({LayerWork(std::move(terms), rooms), Matrix(share->supports(), outputs(l))});
  }
}

GramPlan Composition::State::make_plan(Index l, std::size_t m, const State* sibling) const {
  const Kernel& kernel = share->terms[static_cast<std::size_t>(l - 1)][m].kernel;
  const TileStorage storage = share->storage[static_cast<std::size_t>(l - 1)][m];
  if (l > 1) return GramPlan(kernel, share->supports(), outputs(l - 1), storage);
  if (sibling != nullptr) return sibling->layer(1).work.terms()[m].plan.sibling();
  return plan_of(kernel, share->support_input(), storage);
}

MatrixView<const double> Composition::State::output(Index l) const {
  return rows.empty() && !landmarks() ? support(l) : MatrixView<const double>(layer(l).X);
}

void Composition::State::restrict_to(std::vector<Index> samples) {
  first_rows.reset();
  if (landmarks() && !samples.empty()) first_rows.emplace(*share->first, samples);
  rows = std::move(samples);
  went_forward = false;
}

/// [KAE] Thm. 6: f_l is a sum of kernels at the images of the samples in the layer below, so Phi_1 .. Phi_L are all there is.
/// [DKL] Thm. 1: the same for any loss and any strictly increasing penalties.
double Composition::State::forward(const double* flat) {
  std::copy_n(flat, coefficients.size(), coefficients.data());
  require(all_finite(in_one_row(coefficients.view())), "a coefficient is not finite");
  double weighted_norms = 0.0;
  for (Index l = 1; l <= depth(); ++l) {
    Layer& at = layer(l);
    const MatrixView<const double> Phi = layer_of<const double>(coefficients.data(), l);
    or_overflow(l, [&] {
      at.work.take_coefficients(Phi);
      if (l > 1) at.work.move_to(support(l - 1));
      at.work.support_images(at.S.view());
      sample_images(l);
    });
    require_images(all_finite(in_one_row(support(l))) && all_finite(in_one_row(at.X)), l);
    // [KAE] (10): |f_l|^2 = <Phi_l, K_l Phi_l A_l>, and K_l Phi_l A_l are the images of the supports.
    // [DKL] (18): the same of an inner function.
    squared_norms[static_cast<std::size_t>(l - 1)] = inner_product(Phi, support(l));
    weighted_norms += penalty(l) * squared_norms[static_cast<std::size_t>(l - 1)];
  }
  went_forward = true;
  went_back = false;
  return weighted_norms;
}

void Composition::State::sample_images(Index l) {
  Layer& at = layer(l);
  if (rows.empty() && !landmarks()) {
    at.X = {};
    return;
  }
  at.X = at.X_room.take(output_rows(), outputs(l));
  if (!landmarks()) {
    for_entries(at.X, [&](Index i, Index j) { at.X(i, j) = at.S(rows[static_cast<std::size_t>(i)], j); });
  } else if (l > 1) {
    at.work.sample_images(below(l), at.X);
  } else {
    const TermWork* terms = at.work.terms().data();
    at.work.sum_terms(at.X, [&](TermWork& term, MatrixView<double> out) { first().product(&term - terms, term.B, out); });
  }
}

void Composition::State::reverse(MatrixView<const double> output_bar, MatrixView<const double> support_bar,
                                 const std::vector<ImageBar>& images, double* gradient) {
  MatrixView<const double> Xbar = output_bar, Sbar = last_support_bar(output_bar, support_bar);
  for (Index l = depth(); l >= 1; --l) {
    or_overflow(l, [&] {
      const MatrixView<double> Phibar = layer_of<double>(gradient, l);
      SamplesAndSupports<double> bar;
      if (l > 1) bar.supports = support_bars[l % 2].take(share->supports(), outputs(l - 1));
      if (l > 1 && landmarks()) bar.samples = sample_bars[l % 2].take(output_rows(), outputs(l - 1));
      const MatrixView<const double> P = weigh(l, Sbar);
      layer(l).work.support_reverse(layer_of<const double>(direction.data(), l), P, Phibar, bar.supports);
      if (landmarks()) sample_reverse(l, Xbar, Phibar, bar);
      for (const ImageBar& image : images) {
        if (image.layer == l - 1) add_image_bar(image.bar, bar);
      }
      Xbar = bar.samples;
      Sbar = bar.supports;
    });
  }
  went_back = true;
}

/// [KAE] (11): the norm adds 2 lambda K Phi A to K Sbar A, so Sbar + 2 lambda Phi goes to `direction`.
/// [KAE] (12): it adds lambda Phi (Phi A)ᵀ, which is lambda N_l, to Kbar = Sbar (Phi A)ᵀ, so Sbar + lambda Phi is the result.
MatrixView<const double> Composition::State::weigh(Index l, MatrixView<const double> Sbar) {
  const double lambda = penalty(l);
  const MatrixView<const double> Phi = layer_of<const double>(coefficients.data(), l);
  const MatrixView<double> V = layer_of<double>(direction.data(), l);
  if (lambda == 0.0) {
    copy_rows(Sbar, V);
    return V;
  }
  const MatrixView<double> P = P_room.take(V.rows(), V.cols());
  for_entries(V, [&](Index i, Index j) {
    const double weighted = lambda * Phi(i, j);
    P(i, j) = Sbar(i, j) + weighted;
    V(i, j) = P(i, j) + weighted;
  });
  return P;
}

void Composition::State::sample_reverse(Index l, MatrixView<const double> Xbar, MatrixView<double> Phibar,
                                        const SamplesAndSupports<double>& bar) {
  LayerWork& work = layer(l).work;
  if (l > 1) return work.sample_reverse(below(l), Xbar, Phibar, bar);
  const TermWork* terms = work.terms().data();
  work.add_terms(Phibar, [&](TermWork& term, MatrixView<double> out) {
    first().transposed(&term - terms, term.A.times_A(Xbar, rooms.V), out);
  });
}

MatrixView<const double> Composition::State::last_support_bar(MatrixView<const double> output_bar,
                                                              MatrixView<const double> support_bar) {
  const bool outputs_are_supports = rows.empty() && !landmarks();
  if (outputs_are_supports && support_bar.empty()) return output_bar;
  if (landmarks() && !support_bar.empty()) return support_bar;
  const MatrixView<double> Sbar = support_bars[(depth() + 1) % 2].take(share->supports(), outputs(depth()));
  support_bar.empty() ? fill_zero(Sbar) : copy_rows(support_bar, Sbar);
  if (landmarks()) return Sbar;
  add_image_bar(output_bar, {{}, Sbar});
  return Sbar;
}

/// Without landmarks samples are supports.
void Composition::State::add_image_bar(MatrixView<const double> image, const SamplesAndSupports<double>& bar) const {
  if (landmarks()) return add_rows(image, bar.samples);
  for (Index i = 0; i < image.rows(); ++i) {
    const Index row = rows.empty() ? i : rows[static_cast<std::size_t>(i)];
    for (Index j = 0; j < image.cols(); ++j) bar.supports(row, j) += image(i, j);
  }
}

}  // namespace gramian
