// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/hessian_vector.hpp"

#include <string>

#include "base/check.hpp"
#include "gram/along_sweep.hpp"
#include "gramian/base/error.hpp"

namespace gramian {
namespace {

void check(const PairSource<double>& source, MatrixView<const double> Xdot, MatrixView<const double> Ydot) {
  require(source.dense(), "derivatives along directions are there for dense points only");
  require_shape(Xdot, source.rows(), source.dimension(), "Xdot");
  require_shape(Ydot, source.cols(), source.dimension(), source.same() ? "Xdot" : "Ydot");
}

/// Results may be empty.
void hessian_vector_of(const Kernel& kernel, const PairSource<double>& source, const AlongSweep::Directions& directions,
                       const GramGradient<double>& Kbar, const GramGradient<double>& Kbar_dot, MatrixView<double> X_out,
                       MatrixView<double> Y_out) {
  const KernelTiles<double> tiles(kernel, source);
  AlongSweep sweep(tiles);
  sweep.along(Kbar, source.same(), Kbar_dot, directions);
  sweep.write_points_along(X_out, true);
  sweep.write_points_along(Y_out, false);
}

}  // namespace

void hessian_vector(const Kernel& kernel, const Points& X, MatrixView<const double> Xdot, const GramGradient<double>& Kbar,
                    const GramGradient<double>& Kbar_dot, MatrixView<double> out) {
  const PairSource<double> source(X);
  check(source, Xdot, Xdot);
  require_shape(out, source.rows(), source.dimension(), "out");
  hessian_vector_of(kernel, source, {Xdot, Xdot}, Kbar, Kbar_dot, out, {});
}

void hessian_vector(const Kernel& kernel, const Points& X, const Points& Y, MatrixView<const double> Xdot,
                    MatrixView<const double> Ydot, const GramGradient<double>& Kbar, const GramGradient<double>& Kbar_dot,
                    MatrixView<double> X_out, MatrixView<double> Y_out) {
  const PairSource<double> source(X, Y);
  check(source, Xdot, Ydot);
  require_shape_or_empty(X_out, source.rows(), source.dimension(), "X_out");
  require_shape_or_empty(Y_out, source.cols(), source.dimension(), "Y_out");
  hessian_vector_of(kernel, source, {Xdot, Ydot}, Kbar, Kbar_dot, X_out, Y_out);
}

}  // namespace gramian
