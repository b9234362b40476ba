// SPDX-License-Identifier: BSD-3-Clause
// Everything as it is written in [KAE] Sec. 4.2 and App. B.3: pair by pair.
#include "gramian/layers/jacobian.hpp"

#include <string>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/gram/adjoint.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/linalg/gemm.hpp"

namespace gramian {
namespace {

constexpr double seconds_per_number = 1e-9;

/// [KAE] App. B.4: the gradients of k(x_j, x_i) in x_j, its first argument, for all pairs, by the adjoint of any kernel.
class PairSlopes {
 public:
  PairSlopes(const Kernel& kernel, MatrixView<const double> X) : n_(X.rows()), numbers_(checked_product(n_, n_), X.cols()) {
    const Matrix one = Matrix::filled(1, 1, 1.0), ones = Matrix::filled(n_, 1, 1.0);
    for (Index i = 0; i < n_; ++i) {
      const MatrixView<const double> point(&X(i, 0), 1, X.cols(), X.row_stride(), X.col_stride());
      const MatrixView<double> rows(&numbers_(i * n_, 0), n_, X.cols());
      adjoint(kernel, X, point, GramGradient<double>(ones.view(), one.view()), rows, {});
    }
  }
  /// The gradient of k(x_a, x_b) in x_a.
  const double* at(Index a, Index b) const { return numbers_.data() + (b * n_ + a) * numbers_.cols(); }

 private:
  Index n_;
  Matrix numbers_;
};

/// What the recursion needs of one layer, at the coefficients given.
struct LayerFacts {
  const KernelLayer* layer;
  Matrix Phi;                      // n x d_l
  MatrixView<const double> X;      // its images, n x d_l
  std::vector<Matrix> grams;       // of each term
  std::vector<PairSlopes> slopes;  // of each term; none for the first layer, whose inputs stay

  /// sum_m A_m y_m for given(m), d_l x columns.
  template <class Given>
  void add_terms(Given given, MatrixView<double> out) const {
    Matrix part(out.rows(), out.cols());
    for (std::size_t m = 0; m < layer->terms.size(); ++m) {
      fill_zero(part.view());
      given(m, part);
      layer->terms[m].A.apply(transposed(MatrixView<const double>(part.view())), transposed(part.view()));
      add_rows(part.view(), out);
    }
  }
};

/// out += phi (g^T J) for a row phi of Phi and a gradient g.
void add_outer(MatrixView<const double> Phi, Index row, const double* slope, MatrixView<const double> J, Matrix& out) {
  for (Index column = 0; column < J.cols(); ++column) {
    double along = 0.0;
    for (Index k = 0; k < J.rows(); ++k) along += slope[k] * J(k, column);
    for (Index c = 0; c < Phi.cols(); ++c) out(c, column) += Phi(row, c) * along;
  }
}

class ForwardJacobians {
 public:
  ForwardJacobians(const PointSource& input, const std::vector<KernelLayer>& layers, const double* flat)
      : composition_(input, layers) {
    composition_.forward(flat);
    facts_.reserve(layers.size());
    for (Index l = 1; l <= depth(); ++l) {
      const KernelLayer& layer = composition_.layer(l);
      facts_.push_back({&layer, Matrix::copy_of(composition_.coefficients(flat, l)), composition_.output(l), {}, {}});
      for (const LayerTerm& term : layer.terms) add_term(input, l, term.kernel);
    }
  }

  Index samples() const { return composition_.samples(); }
  Index depth() const { return composition_.depth(); }
  const Composition& composition() const { return composition_; }
  const LayerFacts& facts(Index l) const { return facts_[static_cast<std::size_t>(l - 1)]; }

  /// [KAE] App. B.3: the own Jacobian, [K]_{i, i0} A, of the images of all samples in layer l0.
  Matrix own(Index l0, Index i0) const {
    const LayerFacts& f = facts(l0);
    const Index d = f.Phi.cols();
    Matrix J = Matrix::filled(samples() * d, d, 0.0);
    for (Index i = 0; i < samples(); ++i) {
      const auto multiple = [&](std::size_t m, Matrix& part) {
        for (Index c = 0; c < d; ++c) part(c, c) = f.grams[m](i, i0);
      };
      f.add_terms(multiple, block(J, i, d));
    }
    return J;
  }

  /// [KAE] App. B.3: the higher Jacobian, of the images in layer l from those in layer l - 1.
  Matrix higher(Index l, const Matrix& below) const {
    const LayerFacts& f = facts(l);
    const Index n = samples(), d = f.Phi.cols(), d_below = below.rows() / n;
    Matrix J = Matrix::filled(n * d, below.cols(), 0.0);
    const double numbers = static_cast<double>(2 * n * below.cols() * (d + d_below));
    parallel_for(n, numbers * seconds_per_number, [&](Index i, int) {
      const auto both_terms = [&](std::size_t m, Matrix& part) {
        for (Index other = 0; other < n; ++other) {
          // The sample moves within the function, ...
          add_outer(f.Phi.view(), other, f.slopes[m].at(i, other), block(below, i, d_below), part);
          // ... and the function with its supports.
          add_outer(f.Phi.view(), other, f.slopes[m].at(other, i), block(below, other, d_below), part);
        }
      };
      f.add_terms(both_terms, block(J, i, d));
    });
    return J;
  }

  static MatrixView<double> block(Matrix& J, Index i, Index rows) { return {&J(i * rows, 0), rows, J.cols()}; }
  static MatrixView<const double> block(const Matrix& J, Index i, Index rows) {
    return {J.data() + i * rows * J.cols(), rows, J.cols()};
  }

 private:
  void add_term(const PointSource& input, Index l, const Kernel& kernel) {
    LayerFacts& f = facts_.back();
    f.grams.emplace_back(samples(), samples());
    const MatrixView<double> K = f.grams.back().view();
    if (l > 1) {
      full(kernel, composition_.output(l - 1), K);
      f.slopes.emplace_back(kernel, composition_.output(l - 1));
    } else if (input.inner()) {
      full(kernel, input.products(), K);
    } else {
      full(kernel, input.points(), K);
    }
  }

  Composition composition_;
  std::vector<LayerFacts> facts_;
};

/// sum_j N_ij grad k(x_i, x_j), N = Phi A Phi^T, for all i: half of what |f_l|^2 has for a gradient in x_i.
Matrix norm_slopes(const LayerFacts& f, Index d_below) {
  const Index n = f.Phi.rows(), d = f.Phi.cols();
  Matrix out = Matrix::filled(n, d_below, 0.0), applied(n, d), N(n, n);
  for (std::size_t m = 0; m < f.slopes.size(); ++m) {
    f.layer->terms[m].A.apply(f.Phi.view(), applied.view());
    gemm(1.0, f.Phi.view(), transposed(MatrixView<const double>(applied.view())), 0.0, N.view());
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        for (Index k = 0; k < d_below; ++k) out(i, k) += N(i, j) * f.slopes[m].at(i, j)[k];
      }
    }
  }
  return out;
}

/// out += factor J^T v, J and v with all samples one below the other.
void add_transposed(double factor, const Matrix& J, MatrixView<const double> v, double* out) {
  for (Index i = 0; i < v.rows(); ++i) {
    for (Index k = 0; k < v.cols(); ++k) {
      for (Index c = 0; c < J.cols(); ++c) out[c] += factor * v(i, k) * J(i * v.cols() + k, c);
    }
  }
}

}  // namespace

Matrix forward_jacobian(const PointSource& input, const std::vector<KernelLayer>& layers, const double* flat, Index l0,
                        Index i0) {
  const ForwardJacobians jacobians(input, layers, flat);
  require(l0 >= 1 && l0 <= jacobians.depth(),
          "l0 is " + std::to_string(l0) + ", it must be from 1 to " + std::to_string(jacobians.depth()));
  require(i0 >= 0 && i0 < jacobians.samples(),
          "i0 is " + std::to_string(i0) + ", it must be from 0 to " + std::to_string(jacobians.samples() - 1));
  Matrix J = jacobians.own(l0, i0);
  for (Index l = l0 + 1; l <= jacobians.depth(); ++l) J = jacobians.higher(l, J);
  return J;
}

void jacobian_gradient(const PointSource& input, const std::vector<KernelLayer>& layers, const double* flat,
                       MatrixView<const double> targets, double* gradient) {
  const ForwardJacobians jacobians(input, layers, flat);
  const Index n = jacobians.samples(), L = jacobians.depth();
  const MatrixView<const double> X = jacobians.composition().output(L);
  require_shape(targets, n, X.cols(), "targets");
  Matrix left(n, X.cols());
  for_entries(left.view(), [&](Index i, Index k) { left(i, k) = targets(i, k) - X(i, k); });
  std::vector<Matrix> norms;  // of layers 2 .. L
  for (Index l = 2; l <= L; ++l) norms.push_back(norm_slopes(jacobians.facts(l), jacobians.facts(l - 1).Phi.cols()));

  for (Index l0 = 1; l0 <= L; ++l0) {
    const LayerFacts& f = jacobians.facts(l0);
    for (Index i0 = 0; i0 < n; ++i0, gradient += f.Phi.cols()) {
      // [KAE] (11): 2 K Phi A = 2 X
      for (Index c = 0; c < f.Phi.cols(); ++c) gradient[c] = 2.0 * f.layer->penalty * f.X(i0, c);
      Matrix J = jacobians.own(l0, i0);
      for (Index l = l0 + 1; l <= L; ++l) {
        // [KAE] (12): the norm of layer l through the images below
        const double factor = 2.0 * jacobians.facts(l).layer->penalty;
        add_transposed(factor, J, norms[static_cast<std::size_t>(l - 2)].view(), gradient);
        J = jacobians.higher(l, J);
      }
      // [KAE] (9): the distortion
      add_transposed(-2.0 / static_cast<double>(n), J, left.view(), gradient);
    }
  }
}

}  // namespace gramian
