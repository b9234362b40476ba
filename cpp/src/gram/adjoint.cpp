// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/adjoint.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "gram/backprop.hpp"
#include "gram/finite.hpp"
#include "gram/gradient_tiles.hpp"
#include "gram/kernel_tiles.hpp"
#include "gram/pair_schedule.hpp"
#include "gram/reverse_tiles.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"

namespace gramian {
namespace {

/// One sweep over the pairs of two sets (or of one). Behind the sums of a tile of points stand those of the parameters.
template <class T>
class Sweep {
 public:
  Sweep(const Kernel& kernel, const PairSource<T>& source, const GramGradient<T>& Kbar, bool want_points,
        MatrixView<T> inner_bar);

  void run();
  std::vector<double> parameters();
  /// The gradient of the first set, or of the second.
  void write_first(MatrixView<T> Xbar) { write(Xbar, tiles_.source().x(), true); }
  void write_second(MatrixView<T> Ybar) { write(Ybar, tiles_.source().y(), false); }

 private:
  Index row_tiles() const { return count_pieces(source_.rows(), step_); }
  double* parameter_sums(BlockSums& sums, Index tile) const { return sums.tile(tile) + reverse_.numbers(); }
  void visit(Index row_tile, Index col_tile, int worker, BlockSums& sums);
  void write(MatrixView<T> out, MatrixView<const T> points, bool first);

  PairSource<T> source_;
  KernelTiles<T> tiles_;
  GradientTiles<T> gradient_;
  Index step_;
  bool inner_;
  ReverseTiles<T> reverse_;
  BlockSums sums_;
  TileScratch<T> scratch_;
};

template <class T>
Sweep<T>::Sweep(const Kernel& kernel, const PairSource<T>& source, const GramGradient<T>& Kbar, bool want_points,
                MatrixView<T> inner_bar)
    : source_(source),
      tiles_(kernel, source),
      gradient_(Kbar, source.rows(), source.cols(), source.same()),
      step_(tile_step(std::max(source.rows(), source.cols()))),
      inner_(!inner_bar.empty()),
      reverse_(tiles_, step_, inner_bar),
      sums_(row_tiles() + (source.same() ? 0 : count_pieces(source.cols(), step_)),
            reverse_.numbers() + tiles_.parameter_count()),
      scratch_(1 + backprop_depth(tiles_.tree()), reverse_.scratch_numbers()) {
  if (want_points) reverse_.take_points();
}

template <class T>
void Sweep<T>::run() {
  const double entries = static_cast<double>(step_) * static_cast<double>(step_);
  const double seconds =
      entries * (2.0 * tiles_.seconds_per_entry() + (source_.dense() ? 0.03e-9 * static_cast<double>(source_.dimension()) : 0.0));
  const auto one = [&](Index row_tile, Index col_tile, int worker, BlockSums& sums) { visit(row_tile, col_tile, worker, sums); };
  if (source_.same()) {
    sum_over_pairs(seconds, sums_, one);
  } else {
    sum_over_grid(row_tiles(), count_pieces(source_.cols(), step_), seconds, sums_, one);
  }
  if (inner_) reverse_.finish_inner_diagonal(sums_);
}

template <class T>
void Sweep<T>::visit(Index row_tile, Index col_tile, int worker, BlockSums& sums) {
  if (worker == 0) poll_stop();
  const Index row = row_tile * step_, col = col_tile * step_;
  std::vector<double> parameters(static_cast<std::size_t>(tiles_.parameter_count()) + 1, 0.0);
  const ReversePlace<T> place{{row, std::min(step_, source_.rows() - row), col, std::min(step_, source_.cols() - col)},
                              row_tile,
                              source_.same() ? col_tile : row_tiles() + col_tile,
                              source_.same() && row_tile == col_tile,
                              scratch_.extra(worker),
                              &sums,
                              parameters.data()};
  T* Kbar = scratch_.tile(worker, 0);
  gradient_.evaluate(place.block, Kbar);
  backprop(tiles_, tiles_.tree(), place.block, Kbar, scratch_.tile(worker, 1), place.parameters,
           [&](const KernelTree& part, T* weights, T* free_tile) { reverse_.add_leaf(part, place, weights, free_tile); });
  const double share = place.diagonal ? 0.5 : 1.0;
  double* to = parameter_sums(sums, row_tile);
  for (Index p = 0; p < tiles_.parameter_count(); ++p) to[p] += share * parameters[static_cast<std::size_t>(p)];
}

/// Where leaves see images, the gradient goes through these to the points.
template <class T>
void Sweep<T>::write(MatrixView<T> out, MatrixView<const T> points, bool first) {
  PointImages<T>* images = tiles_.images();
  const bool pulls_back = images != nullptr && !out.empty();
  reverse_.write(pulls_back ? images->bar(first) : out, points, sums_, first ? 0 : row_tiles(), parameter_sums(sums_, 0));
  if (pulls_back) images->pull_back(first, out);
}

template <class T>
std::vector<double> Sweep<T>::parameters() {
  std::vector<double> out(static_cast<std::size_t>(tiles_.parameter_count()), 0.0);
  for (Index t = 0; t < row_tiles(); ++t) {
    const double* from = parameter_sums(sums_, t);
    for (std::size_t p = 0; p < out.size(); ++p) out[p] += from[p];
  }
  return out;
}

template <class T>
void require_shape(MatrixView<T> out, Index rows, Index cols, const char* name) {
  const auto shape = [](Index r, Index c) { return std::to_string(r) + " x " + std::to_string(c); };
  require(out.empty() || (out.rows() == rows && out.cols() == cols),
          std::string(name) + " is " + shape(out.rows(), out.cols()) + ", it must be " + shape(rows, cols));
}

bool has_length_scales(const Kernel::Node& node) {
  if (!node.length_scales.empty()) return true;
  return std::any_of(node.children.begin(), node.children.end(),
                     [](const Kernel& child) { return has_length_scales(child.node()); });
}

template <class T>
std::vector<double> adjoint_of(const Kernel& kernel, const PairSource<T>& source, const GramGradient<T>& Kbar, MatrixView<T> Xbar,
                               MatrixView<T> Ybar) {
  require_shape(Xbar, source.rows(), source.dimension(), "Xbar");
  require_shape(Ybar, source.cols(), source.dimension(), "Ybar");
  const bool want_points = !Xbar.empty() || !Ybar.empty() || has_length_scales(kernel.node());
  require(source.dense() || !want_points, "sparse points have no gradient here: pass an empty Xbar to get the parameters' alone");
  Sweep<T> sweep(kernel, source, Kbar, want_points, {});
  sweep.run();
  if (want_points) sweep.write_first(Xbar);
  if (want_points && !source.same()) sweep.write_second(Ybar);
  std::vector<double> parameters = sweep.parameters();
  require_finite(Xbar);
  require_finite(Ybar);
  require_finite(parameters);
  return parameters;
}

}  // namespace

std::vector<double> adjoint(const Kernel& kernel, const Points& X, const GramGradient<double>& Kbar, MatrixView<double> Xbar) {
  return adjoint_of<double>(kernel, PairSource<double>(X), Kbar, Xbar, {});
}
std::vector<double> adjoint(const Kernel& kernel, const Points& X, const GramGradient<float>& Kbar, MatrixView<float> Xbar) {
  return adjoint_of<float>(kernel, PairSource<float>(X), Kbar, Xbar, {});
}
std::vector<double> adjoint(const Kernel& kernel, const Points& X, const Points& Y, const GramGradient<double>& Kbar,
                            MatrixView<double> Xbar, MatrixView<double> Ybar) {
  return adjoint_of<double>(kernel, PairSource<double>(X, Y), Kbar, Xbar, Ybar);
}
std::vector<double> adjoint(const Kernel& kernel, const Points& X, const Points& Y, const GramGradient<float>& Kbar,
                            MatrixView<float> Xbar, MatrixView<float> Ybar) {
  return adjoint_of<float>(kernel, PairSource<float>(X, Y), Kbar, Xbar, Ybar);
}
std::vector<double> adjoint(const Kernel& kernel, const InnerProducts<double>& XX, const GramGradient<double>& Kbar,
                            MatrixView<double> inner_bar) {
  const PairSource<double> source(XX);
  require(source.same(), "the gradient in inner products is there for one set of points");
  require_shape(inner_bar, source.rows(), source.rows(), "inner_bar");
  for (Index i = 0; i < inner_bar.rows(); ++i) {
    for (Index j = 0; j < inner_bar.cols(); ++j) inner_bar(i, j) = 0.0;
  }
  Sweep<double> sweep(kernel, source, Kbar, !inner_bar.empty(), inner_bar);
  sweep.run();
  std::vector<double> parameters = sweep.parameters();
  require_finite(inner_bar);
  require_finite(parameters);
  return parameters;
}

}  // namespace gramian
