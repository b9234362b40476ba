// SPDX-License-Identifier: BSD-3-Clause
// Parts that do not fit together are refused.
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/models/conditional_mean/landmarks.hpp"
#include "models/conditional_mean/parts.hpp"
#include "support/check.hpp"
#include "support/dense.hpp"
#include "support/dependency_samples.hpp"

using namespace gramian;
using conditional_mean::Parts;
using dependency_data::gaussian;
using gramian::view;
using support::shared;
using Dense = spectral::Matrix;

namespace {

const Kernel output_kernel("laplacian", {0.7});
const dependency_data::Samples data = dependency_data::samples(30, 1);

Parts on_landmarks() {
  const Dense Z = data.X.topRows(8);
  const auto fit = conditional_mean::fit_landmarks(gaussian(), Points(view(data.X)), Points(view(Z)), {}, view(data.Y), {0.01});
  return conditional_mean::parts_of(fit, gaussian(), gramian::Samples(shared(Z)), gramian::Samples(shared(data.X)), output_kernel,
                                    gramian::Samples(shared(data.Y)));
}

template <class Change>
void check_refused(Change change) {
  Parts parts = on_landmarks();
  change(parts);
  CHECK_THROWS(std::invalid_argument, conditional_mean::check_parts(parts));
}

}  // namespace

TEST(parts_of_fits_fit) {
  const Parts parts = on_landmarks();
  conditional_mean::check_parts(parts);
  CHECK_EQ(conditional_mean::outputs_of(parts), 30);
  Parts summed = on_landmarks();
  summed.samples = gramian::Samples();
  summed.mixing = SharedMatrix(Matrix::filled(30, 8, 1.0));
  conditional_mean::check_parts(summed);
  CHECK_EQ(conditional_mean::outputs_of(summed), 30);
}

TEST(others_are_refused) {
  check_refused([](Parts& parts) { parts.mixing = SharedMatrix(Matrix::filled(30, 8, 1.0)); });
  check_refused([](Parts& parts) {
    parts.samples = gramian::Samples();
    parts.mixing = SharedMatrix(Matrix::filled(30, 5, 1.0));
  });
  check_refused([](Parts& parts) {
    parts.samples = gramian::Samples();
    parts.mixing = SharedMatrix(Matrix::filled(30, 8, 1.0));
    parts.roots = SharedMatrix(Matrix::filled(30, 1, 1.0));
  });
  check_refused([](Parts& parts) { parts.samples = gramian::Samples(shared(data.Y)); });
  check_refused([](Parts& parts) { parts.samples = gramian::Samples::counted(30); });
  check_refused([](Parts& parts) { parts.factor = SharedMatrix(Matrix::filled(30, 30, 1.0)); });
  check_refused([](Parts& parts) { parts.roots = SharedMatrix(Matrix::filled(8, 1, 1.0)); });
  check_refused([](Parts& parts) { parts.coefficients = SharedMatrix(Matrix::filled(30, 4, 1.0)); });
}

TEST_MAIN
