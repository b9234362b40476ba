// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/adjoint.hpp"

#include <string>
#include <vector>

#include "base/check.hpp"
#include "gram/adjoint_sweep.hpp"
#include "gram/finite.hpp"
#include "gramian/base/error.hpp"

namespace gramian {
namespace {

template <class T>
std::vector<double> adjoint_of(const Kernel& kernel, const PairSource<T>& source, const GramGradient<T>& Kbar, MatrixView<T> Xbar,
                               MatrixView<T> Ybar) {
  require_shape_or_empty(Xbar, source.rows(), source.dimension(), "Xbar");
  require_shape_or_empty(Ybar, source.cols(), source.dimension(), "Ybar");
  const KernelTiles<T> tiles(kernel, source);
  return AdjointSweep<T>(tiles).whole_adjoint(Kbar, Xbar, Ybar);
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
  require_shape_or_empty(inner_bar, source.rows(), source.rows(), "inner_bar");
  for (Index i = 0; i < inner_bar.rows(); ++i) {
    for (Index j = 0; j < inner_bar.cols(); ++j) inner_bar(i, j) = 0.0;
  }
  const KernelTiles<double> tiles(kernel, source);
  AdjointSweep<double> sweep(tiles);
  sweep.adjoint(Kbar, true, {!inner_bar.empty(), true, inner_bar});
  require_finite(inner_bar);
  require_finite(sweep.parameters());
  return sweep.parameters();
}

}  // namespace gramian
