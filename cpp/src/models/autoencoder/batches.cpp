// SPDX-License-Identifier: BSD-3-Clause
#include "models/autoencoder/batches.hpp"

#include <algorithm>
#include <utility>

#include "gramian/base/random.hpp"
#include "optim/infinite_outside.hpp"

namespace gramian::autoencoder {

double BatchObjective::sample(const double* x, std::uint64_t seed, std::uint64_t step, double* gradient) {
  const Index samples = whole_.layers().samples();
  if (batch_size_ == 0 || batch_size_ >= samples) return evaluate(x, gradient);
  order_.resize(static_cast<std::size_t>(samples));
  random_permutation(RandomStream(seed, step), order_.data(), samples);
  std::vector<Index> rows(order_.begin(), order_.begin() + batch_size_);
  std::sort(rows.begin(), rows.end());
  return infinite_outside([&] { return whole_.value_on(std::move(rows), x, gradient); });
}

}  // namespace gramian::autoencoder
