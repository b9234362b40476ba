// SPDX-License-Identifier: BSD-3-Clause
// What kernels are evaluated on.
#pragma once

#include "gramian/base/view.hpp"

namespace gramian {

enum class Scalar { float64, float32 };

/// A set of points, one a row. A view: the caller's memory must outlive it. float32 points give float32 results.
class Points {
 public:
  Points(MatrixView<const double> rows) : scalar_(Scalar::float64), float64_(rows) {}
  Points(MatrixView<double> rows) : Points(MatrixView<const double>(rows)) {}
  Points(MatrixView<const float> rows) : scalar_(Scalar::float32), float32_(rows) {}
  Points(MatrixView<float> rows) : Points(MatrixView<const float>(rows)) {}

  Scalar scalar() const { return scalar_; }
  Index size() const { return scalar_ == Scalar::float64 ? float64_.rows() : float32_.rows(); }
  Index dimension() const { return scalar_ == Scalar::float64 ? float64_.cols() : float32_.cols(); }

  MatrixView<const double> float64() const { return float64_; }  ///< empty unless scalar() == Scalar::float64
  MatrixView<const float> float32() const { return float32_; }   ///< empty unless scalar() == Scalar::float32

 private:
  Scalar scalar_;
  MatrixView<const double> float64_;
  MatrixView<const float> float32_;
};

}  // namespace gramian
