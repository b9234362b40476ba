// SPDX-License-Identifier: BSD-3-Clause
// Block by block what linalg/stiefel.hpp says, and free numbers that are left alone.
#include "gramian/optim/stiefel_product.hpp"

#include <cmath>
#include <stdexcept>
#include <vector>

#include "support/check.hpp"
#include "support/naive.hpp"

using gramian::Index;
using gramian::StiefelProduct;
using gramian::StiefelRetraction;
using Numbers = std::vector<double>;

namespace {

StiefelProduct sample() { return StiefelProduct({{9, 3}, {7, 1}, {4, 4}}, 2); }

Numbers normal(Index n, std::uint64_t seed) { return naive::normal<double>(n, 1, seed).numbers; }

}  // namespace

TEST(blocks_stand_one_behind_the_other) {
  const StiefelProduct manifold = sample();
  CHECK_EQ(manifold.size(), 27 + 7 + 16 + 2);
  CHECK_EQ(manifold.block_count(), 3);
  CHECK_EQ(manifold.free_offset(), 50);
  Numbers x = normal(manifold.size(), 1);
  CHECK(manifold.block(x.data(), 1).data() == x.data() + 27);
  CHECK_EQ(manifold.block(x.data(), 2).rows(), 4);
}

TEST(each_operation_is_that_of_its_blocks) {
  StiefelProduct manifold = sample();
  Numbers x = normal(manifold.size(), 2), z = normal(manifold.size(), 3), expected = x, got(x.size());
  for (Index j = 0; j < 3; ++j) stiefel_project(manifold.block(expected.data(), j), manifold.block(expected.data(), j));
  CHECK(manifold.infeasibility(x.data()) > 0.1);
  manifold.project(x.data());
  CHECK(x == expected);
  CHECK(manifold.infeasibility(x.data()) <= 1e-13);

  expected = z;
  for (Index j = 0; j < 3; ++j)
    stiefel_tangent(manifold.block(x.data(), j), manifold.block(z.data(), j), manifold.block(expected.data(), j));
  manifold.tangent(x.data(), z.data(), got.data());
  CHECK(got == expected);
  manifold.tangent(x.data(), z.data(), z.data());
  CHECK(z == expected);

  for (const StiefelRetraction way : {StiefelRetraction::polar, StiefelRetraction::qr}) {
    manifold.retract(x.data(), z.data(), way, got.data());
    for (Index j = 0; j < 3; ++j)
      stiefel_retract(manifold.block(x.data(), j), manifold.block(z.data(), j), way, manifold.block(expected.data(), j));
    for (std::size_t i = 50; i < 52; ++i) expected[i] = x[i] + z[i];
    CHECK(got == expected);
    CHECK(manifold.infeasibility(got.data()) <= 1e-13);
  }
}

TEST(shapes_that_do_not_exist_are_refused) {
  CHECK_THROWS(std::invalid_argument, StiefelProduct({{3, 4}}));
  CHECK_THROWS(std::invalid_argument, StiefelProduct({{4, 3}}, -1));
}

TEST_MAIN
