// SPDX-License-Identifier: BSD-3-Clause
// From the gradient in the entries of a Gram matrix to those in its points and its kernel's parameters, in one sweep.
#pragma once

#include <vector>

#include "gram/gradient_tiles.hpp"
#include "gram/leaf_vectors.hpp"
#include "gram/sweep.hpp"

namespace gramian {

template <class T>
class AdjointSweep : public Sweep<T> {
 public:
  using Sweep<T>::Sweep;

  void bind(const KernelTiles<T>& tiles, KeptTiles* kept) {
    Sweep<T>::bind(tiles, kept);
    forget_points();
  }
  /// The points have moved.
  void forget_points() { holds_points_ = false; }

  struct Wanted {
    bool points = true;
    bool parameters = false;
    MatrixView<T> inner_bar{};  ///< the gradient in inner products is added to it
  };

  /// The sums of one sweep: of Kbar in the first role, or in both, and of K V for one set of points. Throws std::invalid_argument
  /// if Kbar or V has another shape than K asks for, or an entry that is not finite.
  void adjoint(const GramGradient<T>& Kbar, bool both_roles, const Wanted& wanted, MatrixView<const T> V = {});

  /// The same with all that comes of it: writes the gradients in the first set and in the second unless these are empty, and
  /// returns those in the parameters.
  std::vector<double> whole_adjoint(const GramGradient<T>& Kbar, MatrixView<T> Xbar, MatrixView<T> Ybar);

  /// K V of the last adjoint().
  void write_product(MatrixView<T> out) const { this->sums().write(out, this->step(), leaves_.numbers()); }
  /// out = `factor` times its gradient in the first set, or in the second; an empty one only gives the length scales their share.
  /// Throws std::invalid_argument if a number is not finite.
  void write_points(MatrixView<T> out, bool first, double factor = 1.0);
  /// Its gradient in the parameters; those in length scales come with write_points().
  const std::vector<double>& parameters() const { return parameters_; }

 protected:
  /// Makes the vectors of points once for all sweeps until forget_points().
  void take_points();
  const std::vector<PairVectors<T>>& row_points() const { return x_; }
  const std::vector<PairVectors<T>>& col_points() const { return this->source().same() ? x_ : y_; }
  LeafSums leaf_sums(bool along) const;
  /// A kernel of the registry whose derivative in s is the value times a number, with weights that come as a product.
  bool weighed(const GramGradient<T>& Kbar) const;
  double slope_of_value() const { return this->tiles().leaf(0).kernel().slope_of_value; }
  /// The gradient in the first set or the second from the sums of its leaves; `dots` is empty unless these are sums along
  /// directions. Adds that in length scales to parameters, unless that is empty.
  void write_leaves(const LeafSums& leaves, MatrixView<T> out, bool first, MatrixView<const T> dots, double factor,
                    std::vector<double>& parameters) const;

 private:
  /// How the adjoint of a tile is computed.
  enum class Way {
    weighed,      ///< the derivative is the value times a number
    pairs,        ///< values and derivatives come out of s together, kept tiles are no help
    coordinates,  ///< the derivative needs the value, and the points
    tree          ///< sums, products and multiples of kernels, and parameters: leaf by leaf
  };
  Way way_for(const GramGradient<T>& Kbar) const;
  void visit_weighed(const TileVisit& visit);
  void visit_pairs(const TileVisit& visit);
  void visit_coordinates(const TileVisit& visit);
  void visit_tree(const TileVisit& visit);
  void apply_vectors(const TileVisit& visit, const TileBlock& block, const T* tile);

  void add_leaf(const KernelTree& part, const TileVisit& visit, T* Kbar, T* scratch, double* parameters);
  void add_pairs(const KernelTree& part, const TileVisit& visit, T* Kbar, T* raw, double* parameters);
  void add_coordinates(const KernelTree& part, const TileVisit& visit, const T* weights, double* parameters);
  void add_weights(Index leaf, const TileVisit& visit, const TileBlock& block, const T* weights);
  void add_to_inner(const LeafTiles<T>& leaf, const TileVisit& visit, const T* weights);
  void finish_inner_diagonal();
  Index parameter_offset() const { return leaves_.numbers() + vectors_.count() * this->step(); }

  Wanted wanted_;
  Way way_ = Way::tree;
  GradientTiles<T> gradient_;
  PairVectors<T> vectors_;
  LeafSums leaves_;
  bool holds_points_ = false;
  std::vector<PairVectors<T>> x_, y_;  // of every leaf; y_ is empty for one set
  Buffer<T> numbers_;
  std::vector<double> parameters_;
};

}  // namespace gramian
