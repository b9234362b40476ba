// SPDX-License-Identifier: BSD-3-Clause
// A composition of layers by its definition: sums over supports of k(x, s) A phi, pair by pair and in long double.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gramian/layers/composition.hpp"
#include "support/finite_difference.hpp"
#include "support/naive_kernels.hpp"

namespace naive {

using Rows = std::vector<Numbers>;

/// k A; one row of A: a diagonal, none: the identity.
struct Term {
  Expression kernel;
  Rows A{};
};

struct Layer {
  std::vector<Term> terms;
  Index outputs;
  double penalty = 0.0;
};

inline Matrix<double> matrix_of(const Rows& rows) {
  Matrix<double> out(static_cast<Index>(rows.size()), rows.empty() ? 0 : static_cast<Index>(rows[0].size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows[i].size(); ++j) {
      out(static_cast<Index>(i), static_cast<Index>(j)) = static_cast<double>(rows[i][j]);
    }
  }
  return out;
}

inline gramian::OutputOperator operator_of(const Term& term, Index outputs) {
  if (term.A.empty()) return gramian::OutputOperator::identity(outputs);
  if (term.A.size() == 1 && outputs > 1) return gramian::OutputOperator::diagonal({term.A[0].begin(), term.A[0].end()});
  return gramian::OutputOperator::full(matrix_of(term.A).view);
}

inline std::vector<gramian::KernelLayer> layers_of(const std::vector<Layer>& layers) {
  std::vector<gramian::KernelLayer> out;
  for (const Layer& layer : layers) {
    out.emplace_back();
    out.back().penalty = layer.penalty;
    for (const Term& term : layer.terms) out.back().terms.push_back({kernel_of(term.kernel), operator_of(term, layer.outputs)});
  }
  return out;
}

/// A phi
inline Numbers apply(const Rows& A, const Real* phi, Index outputs) {
  Numbers out(phi, phi + outputs);
  for (std::size_t i = 0; i < out.size() && !A.empty(); ++i) {
    if (A.size() == 1) out[i] = A[0][i] * phi[i];
    if (A.size() > 1) out[i] = difference::dot(A[i], Numbers(phi, phi + outputs));
  }
  return out;
}

/// The gradient of a layer's image, or of its norm, in what the layer sees has two parts: samples move, and supports move. One
/// can be left out, to see that it is missed.
struct Images {
  std::vector<Rows> X;  // X_0 .. X_L
  Numbers squared_norms;
};

struct Composition {
  Rows input;
  std::vector<Layer> layers;
  std::vector<Index> landmarks{};

  std::size_t support_count() const { return landmarks.empty() ? input.size() : landmarks.size(); }
  Rows supports(const Rows& X) const {
    Rows out;
    for (const Index row : landmarks) out.push_back(X[static_cast<std::size_t>(row)]);
    return landmarks.empty() ? X : out;
  }
  std::size_t coefficient_count() const {
    std::size_t count = 0;
    for (const Layer& layer : layers) count += support_count() * static_cast<std::size_t>(layer.outputs);
    return count;
  }

  /// With `frozen`, kernels see these images in the place of their supports.
  Images evaluate(const Numbers& flat, const Images* frozen = nullptr) const {
    Images out{{input}, {}};
    const Real* Phi = flat.data();
    for (std::size_t l = 0; l < layers.size(); ++l) {
      const Layer& layer = layers[l];
      const Rows S = supports(frozen == nullptr ? out.X[l] : frozen->X[l]), at = supports(out.X[l]);
      Rows images(input.size(), Numbers(static_cast<std::size_t>(layer.outputs), 0));
      Real norm = 0;
      for (const Term& term : layer.terms) {
        const Numbers parameters = parameters_of(term.kernel);
        for (std::size_t j = 0; j < S.size(); ++j) {
          const Numbers weight = apply(term.A, Phi + static_cast<Index>(j) * layer.outputs, layer.outputs);
          for (std::size_t i = 0; i < input.size(); ++i) {
            const Real k = naive::evaluate(term.kernel, parameters, out.X[l][i], S[j]);
            for (std::size_t c = 0; c < weight.size(); ++c) images[i][c] += k * weight[c];
          }
          for (std::size_t i = 0; i < S.size(); ++i) {
            const Real* phi = Phi + static_cast<Index>(i) * layer.outputs;
            const Real k = naive::evaluate(term.kernel, parameters, at[i], S[j]);
            norm += k * difference::dot(weight, Numbers(phi, phi + layer.outputs));
          }
        }
      }
      out.X.push_back(images);
      out.squared_norms.push_back(norm);
      Phi += static_cast<Index>(S.size()) * layer.outputs;
    }
    return out;
  }

  /// sum W o X_L + |X_L|^2 / 2 + sum lambda_l |f_l|^2: a loss whose gradient in X_L is W + X_L.
  Real objective(const Images& at, const MatrixView<double>& W) const {
    Real sum = 0;
    for (Index i = 0; i < W.rows(); ++i) {
      for (Index c = 0; c < W.cols(); ++c) {
        const Real x = at.X.back()[static_cast<std::size_t>(i)][static_cast<std::size_t>(c)];
        sum += x * static_cast<Real>(W(i, c)) + x * x / 2;
      }
    }
    for (std::size_t l = 0; l < layers.size(); ++l) sum += static_cast<Real>(layers[l].penalty) * at.squared_norms[l];
    return sum;
  }
};

}  // namespace naive
