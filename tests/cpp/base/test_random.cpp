// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/base/random.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "base/multiply.hpp"
#include "gramian/base/parallel.hpp"
#include "support/check.hpp"

using namespace gramian;

namespace {

using Block = std::array<std::uint64_t, 4>;

std::uint64_t bits_of(double x) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

double normal_distribution(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

constexpr Index sample_size = 200000;

std::vector<double> sample(bool normal, std::uint64_t stream) {
  std::vector<double> values(sample_size);
  const RandomStream random(2024, stream);
  const MatrixView<double> view(values.data(), sample_size, 1);
  normal ? random.fill_normal(view) : random.fill_uniform(view);
  return values;
}

template <class F>
double mean_of(const std::vector<double>& values, F f) {
  return std::accumulate(values.begin(), values.end(), 0.0, [&](double sum, double x) { return sum + f(x); }) / values.size();
}

// A mean of sample_size independent terms of this variance is further off with probability below 6e-7 (five sigma).
double mean_bound(double variance) { return 5.0 * std::sqrt(variance / sample_size); }

// Kolmogorov-Smirnov distance between the sample and the distribution function.
template <class F>
double distance(std::vector<double> values, F distribution) {
  std::sort(values.begin(), values.end());
  const double n = static_cast<double>(values.size());
  double largest = 0.0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double exact = distribution(values[k]);
    largest = std::max({largest, exact - k / n, (k + 1) / n - exact});
  }
  return largest;
}

// Dvoretzky-Kiefer-Wolfowitz with Massart's constant: P(distance > e) <= 2 exp(-2 n e^2), here 1e-6.
double distance_bound() { return std::sqrt(std::log(2.0 / 1e-6) / (2.0 * sample_size)); }

}  // namespace

// The figures are those of numpy 2.4.6, numpy.random.Philox(counter=c - 1, key=k).random_raw(4): numpy counts up before its
// first block. (Pass both as uint64 arrays: a list of large Python numbers goes through float64 and loses bits.)
// The first three are also known answers of Random123.
TEST(philox_known_answers) {
  const std::uint64_t ones = std::numeric_limits<std::uint64_t>::max();
  CHECK((philox4x64({0, 0, 0, 0}, {0, 0}) ==
         Block{0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b}));
  CHECK((philox4x64({ones, ones, ones, ones}, {ones, ones}) ==
         Block{0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0}));
  CHECK((philox4x64({0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89},
                    {0x452821e638d01377, 0xbe5466cf34e90c6c}) ==
         Block{0xa528f45403e61d95, 0x38c72dbd566e9788, 0xa5a1610e72fd18b5, 0x57bd43b5e52b7fe6}));
  CHECK(
      (philox4x64({1, 2, 3, 4}, {5, 6}) == Block{0xa39b5519339fe354, 0xaceb1228efc25196, 0xa0a2e3c25aa5f4fc, 0x8d0cfa9332720df}));
}

TEST(both_multiplications_agree) {
  const RandomStream random(1);
  const std::uint64_t corners[] = {0, 1, 0xFFFFFFFF, 0x100000000, 0xFFFFFFFF00000000, 0xFFFFFFFFFFFFFFFF, 0x8000000000000000};
  const auto agree = [](std::uint64_t a, std::uint64_t b) {
    const base_detail::Wide x = base_detail::multiply(a, b), y = base_detail::multiply_halves(a, b);
    return x.high == y.high && x.low == y.low && x.low == a * b;
  };
  for (const std::uint64_t a : corners) {
    for (const std::uint64_t b : corners) CHECK(agree(a, b));
  }
  for (std::uint64_t i = 0; i < 10000; i += 2) CHECK(agree(random.bits(i), random.bits(i + 1)));
  CHECK_EQ(base_detail::multiply_halves(0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF).high, 0xFFFFFFFFFFFFFFFE);
}

// bits and uniform: numpy 2.4.6, Generator(Philox(counter=[0, 0, 0, 0] - 1, key=[42, 7])); normal: this engine's own, frozen.
TEST(first_numbers_of_a_stream_are_frozen) {
  const std::uint64_t bits[] = {0x2fd1bc0d2c8697bb, 0x8ee17f67a549bba6, 0x1bdce1f847e7df47,
                                0xe123b6bbe4e89f03, 0xa64064f34e84b9a3, 0xe287959a866a08fd};
  const double uniform[] = {0x1.7e8de06964348p-3, 0x1.1dc2fecf4a937p-1, 0x1.bdce1f847e7d8p-4,
                            0x1.c2476d77c9d13p-1, 0x1.4c80c9e69d097p-1, 0x1.c50f2b350cd41p-1};
  const double normal[] = {-0x1.c790409e8f543p-1, 0x1.2b784992c92d8p-3, -0x1.3b93e107285bcp+0,
                           0x1.2c186dc349532p+0,  0x1.88f7247b6558bp-2, 0x1.3322ac69e2612p+0};
  const RandomStream random(42, 7);
  for (std::uint64_t i = 0; i < 6; ++i) {
    CHECK_EQ(random.bits(i), bits[i]);
    CHECK_EQ(random.uniform(i), uniform[i]);
    CHECK_EQ(random.normal(i), normal[i]);
  }
}

// One rounding that differs in 65 536 normals, tails included, changes this; a build that fuses a*b+c does (seen with
// -ffp-contract=fast -march=native).
TEST(no_platform_rounds_differently) {
  const RandomStream random(42, 7);
  std::uint64_t hash = 1469598103934665603u;
  for (std::uint64_t i = 0; i < 65536; ++i) hash = (hash ^ bits_of(random.normal(i))) * 1099511628211u;
  CHECK_EQ(hash, 0x7e9dd2322a3d333a);
}

// Roots of the normal distribution function at 300 bits (mpmath 1.3, Halley steps), for the double nearest to each p.
TEST(quantiles_against_a_table) {
  const double table[][2] = {{5e-324, -38.467405617144346},      {1e-300, -37.047096299361199},    {1e-100, -21.273453560965324},
                             {1e-20, -9.2623400897984076},       {1e-10, -6.3613409024040562},     {1e-5, -4.2648907939228246},
                             {0.025, -1.9599639845400542},       {0.075, -1.4395314709384559},     {0.3, -0.52440051270804082},
                             {0.499999, -2.5066282745665594e-6}, {0.75, 0.67448975019608174},      {0.925, 1.4395314709384562},
                             {0.999, 3.0902323061678133},        {1 - 0x1p-53, 8.2095361516013869}};
  for (const auto& [p, x] : table) CHECK_NEAR(normal_quantile(p), x, 1e-15 * std::abs(x));
}

TEST(quantiles_at_the_ends_and_outside) {
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK_EQ(normal_quantile(0.5), 0.0);
  CHECK_EQ(normal_quantile(0.0), -infinity);
  CHECK_EQ(normal_quantile(1.0), infinity);
  for (const double p : {-0.1, 1.1, infinity, std::numeric_limits<double>::quiet_NaN()}) CHECK(std::isnan(normal_quantile(p)));
}

TEST(quantiles_rise_and_are_odd) {
  double before = -std::numeric_limits<double>::infinity();
  for (int k = 1; k < 4096; ++k) {
    const double x = normal_quantile(k / 4096.0);
    CHECK(x > before);
    CHECK_EQ(x, -normal_quantile(1.0 - k / 4096.0));
    before = x;
  }
}

TEST(moments_of_uniform_numbers) {
  const std::vector<double> u = sample(false, 0);
  CHECK(*std::min_element(u.begin(), u.end()) >= 0.0);
  CHECK(*std::max_element(u.begin(), u.end()) < 1.0);
  CHECK_NEAR(mean_of(u, [](double x) { return x; }), 0.5, mean_bound(1.0 / 12));
  CHECK_NEAR(mean_of(u, [](double x) { return x * x; }), 1.0 / 3, mean_bound(4.0 / 45));
  CHECK(std::all_of(u.begin(), u.end(), [](double x) { return x * 0x1p53 == std::floor(x * 0x1p53); }));
}

TEST(moments_of_normal_numbers) {
  const std::vector<double> z = sample(true, 0);
  // var x = 1, var x^2 = 3 - 1, var x^3 = 15, var x^4 = 105 - 9
  CHECK_NEAR(mean_of(z, [](double x) { return x; }), 0.0, mean_bound(1));
  CHECK_NEAR(mean_of(z, [](double x) { return x * x; }), 1.0, mean_bound(2));
  CHECK_NEAR(mean_of(z, [](double x) { return x * x * x; }), 0.0, mean_bound(15));
  CHECK_NEAR(mean_of(z, [](double x) { return x * x * x * x; }), 3.0, mean_bound(96));
}

TEST(numbers_follow_their_distribution) {
  CHECK(distance(sample(false, 1), [](double x) { return x; }) < distance_bound());
  CHECK(distance(sample(true, 1), normal_distribution) < distance_bound());
  // The bound would notice a scale that is off by 5 %: the distance is then 0.012.
  CHECK(distance(sample(true, 1), [](double x) { return normal_distribution(1.05 * x); }) > distance_bound());
}

TEST(neighbours_streams_and_seeds_are_uncorrelated) {
  const std::vector<double> a = sample(true, 2), b = sample(true, 3);
  std::vector<double> lagged(sample_size), crossed(sample_size), seeded(sample_size);
  const RandomStream other_seed(2025, 2);
  for (std::size_t i = 0; i < a.size(); ++i) {
    lagged[i] = a[i] * a[(i + 1) % a.size()];
    crossed[i] = a[i] * b[i];
    seeded[i] = a[i] * other_seed.normal(i);
  }
  for (const auto& products : {lagged, crossed, seeded}) {
    CHECK_NEAR(mean_of(products, [](double x) { return x; }), 0.0, mean_bound(1));
  }
}

TEST(filling_equals_number_by_number_for_any_strides) {
  const RandomStream random(5, 6);
  const Index rows = 61, cols = 83;  // more than one chunk of the parallel loop, and no multiple of four
  for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{3}, std::numeric_limits<std::uint64_t>::max() - 100}) {
    std::vector<double> data(static_cast<std::size_t>(2 * rows * 2 * cols), -7.0);
    const MatrixView<double> views[] = {{data.data(), rows, cols},
                                        {data.data(), rows, cols, 1, rows},
                                        {data.data(), rows, cols, 4 * cols, 2},
                                        {data.data() + rows * cols - 1, rows, cols, -cols, -1}};
    for (const MatrixView<double>& view : views) {
      bool uniform = true, normal = true;
      const auto number = [&](Index r, Index c) { return first + static_cast<std::uint64_t>(r * cols + c); };
      random.fill_uniform(view, first);
      for (Index r = 0; r < rows; ++r) {
        for (Index c = 0; c < cols; ++c) uniform = uniform && view(r, c) == random.uniform(number(r, c));
      }
      random.fill_normal(view, first);
      for (Index r = 0; r < rows; ++r) {
        for (Index c = 0; c < cols; ++c) normal = normal && view(r, c) == random.normal(number(r, c));
      }
      CHECK(uniform);
      CHECK(normal);
    }
  }
}

TEST(filling_writes_nothing_between_the_strides) {
  std::vector<double> data(2 * 3 * 5, -7.0);
  RandomStream(1).fill_uniform({data.data(), 3, 5, 10, 2});
  for (std::size_t k = 1; k < data.size(); k += 2) CHECK_EQ(data[k], -7.0);
  RandomStream(1).fill_normal({data.data(), 0, 5});
  RandomStream(1).fill_normal({data.data(), 5, 0});
  CHECK_THROWS(std::invalid_argument, RandomStream(1).fill_normal({data.data(), -1, 5}));
}

TEST(same_bits_for_any_number_of_threads) {
  struct Reset {
    ~Reset() { set_num_threads(0); }
  } reset;
  const Index rows = 701, cols = 401;
  std::vector<std::vector<double>> results;
  for (const int threads : {1, 2, 7}) {
    set_num_threads(threads);
    results.emplace_back(static_cast<std::size_t>(2 * rows * cols));
    RandomStream(9).fill_uniform({results.back().data(), rows, cols}, 11);
    RandomStream(9).fill_normal({results.back().data() + rows * cols, rows, cols}, 11);
  }
  CHECK(same_bits(results[0], results[1]));
  CHECK(same_bits(results[0], results[2]));
}

TEST(below_stays_in_range_and_reaches_all_of_it) {
  const RandomStream random(3);
  std::vector<int> counts(7);
  const int draws = 70000;
  for (std::uint64_t i = 0; i < draws; ++i) {
    const Index k = random.below(i, 7);
    CHECK(k >= 0 && k < 7);
    ++counts[static_cast<std::size_t>(k)];
  }
  // Five sigma of a binomial count.
  for (const int count : counts) CHECK_NEAR(count, draws / 7, 5.0 * std::sqrt(draws * (1.0 / 7) * (6.0 / 7)));

  const Index huge = std::numeric_limits<Index>::max();
  for (std::uint64_t i = 0; i < 1000; ++i) {
    CHECK_EQ(random.below(i, 1), 0);
    const Index k = random.below(i, huge);
    CHECK(k >= 0 && k < huge);
  }
  CHECK_THROWS(std::invalid_argument, random.below(0, 0));
  CHECK_THROWS(std::invalid_argument, random.below(0, -5));
}

TEST(a_permutation_has_each_index_once) {
  for (const Index size : {0, 1, 2, 3, 10, 1000}) {
    std::vector<Index> order(static_cast<std::size_t>(size));
    random_permutation(RandomStream(8), order.data(), size, 5);
    std::sort(order.begin(), order.end());
    for (Index i = 0; i < size; ++i) CHECK_EQ(order[static_cast<std::size_t>(i)], i);
  }
  CHECK_THROWS(std::invalid_argument, random_permutation(RandomStream(8), nullptr, -1));
}

TEST(a_permutation_is_frozen) {
  const Index wanted[] = {9, 7, 8, 2, 4, 3, 6, 0, 5, 1};
  Index order[10];
  random_permutation(RandomStream(42, 7), order, 10);
  CHECK(std::equal(order, order + 10, wanted));
}

TEST(all_orders_of_three_are_equally_likely) {
  const RandomStream random(12);
  int counts[3][3] = {};
  const int draws = 30000;
  for (int k = 0; k < draws; ++k) {
    Index order[3];
    random_permutation(random, order, 3, 2 * static_cast<std::uint64_t>(k));  // each takes two numbers of the stream
    ++counts[order[0]][order[1]];
  }
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      const double expected = a == b ? 0.0 : draws / 6.0;
      CHECK_NEAR(counts[a][b], expected, a == b ? 0.0 : 5.0 * std::sqrt(draws * (1.0 / 6) * (5.0 / 6)));
    }
  }
}

TEST_MAIN
