// SPDX-License-Identifier: BSD-3-Clause
// Fitted models of structured outputs as values, and parts to make them of.
#pragma once

#include <vector>

#include "gramian/models/dependency/predictor.hpp"
#include "support/dense.hpp"
#include "support/dependency_samples.hpp"

namespace dependency_values {

using namespace gramian;
using dependency::Parts;
using dependency_data::gaussian;
using dependency_data::gram;
using dependency_data::linear;
using dependency_data::rows_of;
using gramian::view;
using support::relative;
using support::shared;
using Dense = spectral::Matrix;
using Model = dependency::Predictor;

inline const Kernel output_kernel("gaussian", {0.7});

struct Pairs {
  Pairs(Index n, std::uint64_t seed) {
    const dependency_data::Samples all = dependency_data::samples(n, seed);
    X = all.X;
    Y = all.Y;
  }
  Points points() const { return Points(view(X)); }
  Points outputs() const { return Points(view(Y)); }
  Dense X, Y;
};

inline Samples copy(const Dense& A) { return Samples::copy_of(Points(view(A))); }

inline dependency::Fit fitted(const Pairs& data, const Kernel& outputs, bool ranks) {
  dependency::Options options = dependency_data::with(dependency_data::Kind::conditional);
  if (ranks) options = dependency_data::with_ranks(options, 12, 9);
  return dependency::fit(GramSource(gaussian(), data.points()), GramSource(outputs, data.outputs()), options);
}

inline Parts parts_of(const dependency::Fit& fit, const Pairs& data, const Kernel& outputs) {
  return dependency::parts_of(fit.model, gaussian(), copy(data.X), outputs, copy(data.Y));
}

/// The same without kernels: rows of X, and candidates, are kernel values.
inline Parts by_values(const dependency::Fit& fit, const Pairs& data, const Kernel& outputs) {
  Parts parts = parts_of(fit, data, outputs);
  const Index n = data.X.rows();
  parts.kernel.reset();
  parts.output_kernel.reset();
  parts.inputs = Samples::counted(n);
  parts.input_supports = fit.model.input_supports;
  parts.outputs = {};
  parts.outputs.values = shared(gram(outputs, data.Y, rows_of(data.Y, dependency_data::supports(fit.model.output_supports, n))));
  parts.outputs.squares = shared(Dense::Ones(n, 1));
  return parts;
}

inline Dense weights_of(const Model& model, const Points& X) {
  Dense out(X.size(), model.supports());
  model.weights(X, view(out));
  return out;
}

inline Dense applied(const Predictor& model, Verb verb, const Points& X) {
  Dense out(X.size(), model.outputs(verb));
  model.apply(verb, X, view(out));
  return out;
}

}  // namespace dependency_values
