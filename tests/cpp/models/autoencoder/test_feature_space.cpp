// SPDX-License-Identifier: BSD-3-Clause
// The feature space of an autoencoder: blocks of rows, columns of landmarks, and pre-images.
#include "models/autoencoder/feature_space.hpp"

#include <vector>

#include "support/check.hpp"
#include "support/feature_space_problem.hpp"

using namespace gramian;
using namespace feature_space;
using autoencoder::FeatureSpace;
using autoencoder::for_blocks;

TEST(blocks_are_all_rows_once) {
  for (const Index columns : {Index(1), Index(5000), Index(1) << 40}) {
    std::vector<Index> seen(10000, 0);
    Index last = 0, longest = 0;
    for_blocks(10000, columns, [&](Index first, Index rows) {
      CHECK_EQ(first, last);
      last = first + rows;
      longest = std::max(longest, rows);
    });
    CHECK_EQ(last, 10000);
    CHECK_EQ(longest, columns == 1 ? 4096 : columns == 5000 ? 838 : 16);
  }
  for_blocks(0, 3, [](Index, Index) { CHECK(false); });
}

TEST(landmarks_are_columns_of_kernel_values) {
  const Problem p(Kernel("gaussian", {0.4}), true);
  const FeatureSpace space(p.parts());
  const Dense cross = spectral::normal(3, 20, 1);
  const Matrix found = space.with_supports(view(cross));
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 5; ++j) CHECK_EQ(found(i, j), cross(i, p.landmarks[static_cast<std::size_t>(j)]));
  }
}

TEST(squared_norms_are_equal_up_to_rounding) {
  const Problem p;
  FeatureSpaceParts parts = p.parts();
  CHECK(FeatureSpace(parts).equal_squares());
  parts.squared_norms[2] += 1e-14;
  CHECK(FeatureSpace(parts).equal_squares());
  parts.squared_norms[2] += 1e-10;
  CHECK(!FeatureSpace(parts).equal_squares());
  parts.squared_norms.assign(20, 0.0);
  CHECK(FeatureSpace(parts).equal_squares());
}

TEST(which_kernels_have_preimages) {
  CHECK(FeatureSpace(Problem(Kernel("linear", {})).parts()).has_sums());
  CHECK(FeatureSpace(Problem(Kernel("gaussian", {0.4})).parts()).has_sums());
  CHECK(!FeatureSpace(Problem(Kernel("laplacian", {0.4})).parts()).has_sums());
  CHECK(!FeatureSpace(Problem(2.0 * Kernel("gaussian", {0.4})).parts()).has_sums());
}

TEST(training_samples_by_number) {
  const Problem p;
  const Matrix found = FeatureSpace(p.parts()).rows({7, 0, 7});
  for (Index k = 0; k < 3; ++k) {
    CHECK_EQ(found(0, k), p.X(7, k));
    CHECK_EQ(found(1, k), p.X(0, k));
    CHECK_EQ(found(2, k), p.X(7, k));
  }
}

TEST_MAIN
