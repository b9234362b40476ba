// SPDX-License-Identifier: BSD-3-Clause
// A prediction takes no memory from the second call on.
#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "gramian/gram/expansion.hpp"
#include "gramian/layers/composition_map.hpp"
#include "gramian/layers/layered_map.hpp"
#include "support/check.hpp"
#include "support/kernel_samples.hpp"
#include "support/sparse_copy.hpp"

namespace {
std::atomic<long> allocations{0};
}

// Where the executable's own definitions count for the library too.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define COUNTED
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* pointer, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
__attribute__((visibility("default"))) void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
__attribute__((visibility("default"))) void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
__attribute__((visibility("default"))) void* realloc(void* pointer, std::size_t size) {
  ++allocations;
  return __libc_realloc(pointer, size);
}
__attribute__((visibility("default"))) void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
__attribute__((visibility("default"))) int posix_memalign(void** pointer, std::size_t alignment, std::size_t size) {
  ++allocations;
  *pointer = __libc_memalign(alignment, size);
  return *pointer == nullptr ? 12 : 0;
}
}
#endif

using namespace gramian;

namespace {

constexpr Index supports = 700, features = 5;

/// What apply(rows) allocates after it was called once, on this thread and on a fresh one.
template <class Apply>
void expect_none(const std::string& what, const Apply& apply) {
#if defined(COUNTED)
  const auto count = [&] {
    apply();
    const long before = allocations;
    for (int again = 0; again < 3; ++again) apply();
    const long taken = allocations - before;  // before there is a text, which takes memory too
    check::that(taken == 0, what + " allocates", __FILE__, __LINE__);
  };
  count();
  std::thread(count).join();
#else
  static_cast<void>(what), apply();
#endif
}

std::vector<SupportedLayer> three_supported_layers() {
  const KernelLayer first = KernelLayer::scalar(Kernel("gaussian", {0.3}), 3, 0.0);
  KernelLayer second = KernelLayer::scalar(Kernel("matern32", {1.0}), 4, 0.0);
  second.terms.push_back({Kernel("linear", {}), OutputOperator::diagonal({1.0, 0.0, 2.0, 0.0})});
  const KernelLayer third = KernelLayer::scalar(Kernel("laplacian", {0.5}), 2, 0.0);
  const auto shared = [](Index cols, std::uint64_t seed) {
    return SharedMatrix::copy_of(naive::normal<double>(supports, cols, seed).view);
  };
  return {{first, shared(3, 1), shared(features, 2)}, {second, shared(4, 3), shared(3, 4)}, {third, shared(2, 5), shared(4, 6)}};
}

}  // namespace

TEST(allocations_are_counted) {
#if defined(COUNTED)
  const long before = allocations;
  Matrix large(4000, 1000);
  std::vector<double> small(3);
  CHECK(allocations >= before + 2);
  CHECK(large.data() != small.data());
#endif
}

TEST(expansions_allocate_nothing) {
  set_num_threads(1);
  const auto X = naive::normal<double>(300, features, 7);
  const Samples S = Samples::copy_of(naive::normal<double>(supports, features, 8).view);
  const SharedMatrix W = SharedMatrix::copy_of(naive::normal<double>(supports, 3, 9).view);
  for (const naive::Expression& e : naive::all_samples(features)) {
    const KernelExpansion f(naive::kernel_of(e), S, W);
    Matrix out(300, 3);
    for (const Index n : {300, 17, 3, 1}) {
      const MatrixView<const double> rows(X.view.data(), n, features);
      expect_none(e.name, [&] { f.apply(Points(rows), {out.data(), n, 3}); });
    }
  }
  set_num_threads(0);
}

/// Rows of any form, with kernels that inner products are enough for.
template <class RowsOf>
void expect_none_of_inner_kernels(const std::string& what, const Samples& S, RowsOf rows_of) {
  set_num_threads(1);
  const SharedMatrix W = SharedMatrix::copy_of(naive::normal<double>(supports, 3, 9).view);
  Matrix out(300, 3);
  for (const naive::Expression& e : naive::inner_product_samples()) {
    const KernelExpansion f(naive::kernel_of(e), S, W);
    for (const Index n : {300, 17, 3, 1}) expect_none(what + e.name, [&] { f.apply(rows_of(n), {out.data(), n, 3}); });
  }
  set_num_threads(0);
}

TEST(sparse_rows_allocate_nothing) {
  const auto sparse_S = naive::sparse_of(naive::normal<double>(supports, features, 8));
  const auto sparse_X = naive::sparse_of(naive::normal<double>(300, features, 7));
  expect_none_of_inner_kernels("sparse rows: ", Samples::copy_of(Points(sparse_S.rows())), [&](Index n) {
    SparseRows<double> rows = sparse_X.rows();
    rows.rows = n;
    return Points(rows);
  });
}

TEST(inner_products_allocate_nothing) {
  const auto inner = naive::normal<double>(300, supports, 7);
  const Matrix x_squares = Matrix::filled(300, 1, 30.0), s_squares = Matrix::filled(supports, 1, 30.0);
  expect_none_of_inner_kernels("inner products: ", Samples::counted(supports), [&](Index n) {
    return InnerProducts<double>({inner.view.data(), n, supports}, {x_squares.data(), n, 1}, s_squares.view());
  });
}

TEST(kernels_on_images_allocate_nothing) {
  set_num_threads(1);
  const SharedMatrix W = SharedMatrix::copy_of(naive::normal<double>(supports, 3, 9).view);
  const Samples S = Samples::copy_of(naive::normal<double>(supports, features, 8).view);
  const auto map = std::make_shared<CompositionMap>(three_supported_layers(), ColumnScaling{{0.1, 0.2, 0.3, 0.4, 0.5}, {}});
  const Kernel gaussian("gaussian", {0.3});
  const KernelExpansion f(on_images(map, gaussian) + gaussian, S, W);
  const auto X = naive::normal<double>(192, features, 7);
  Matrix out(192, 3);
  for (const Index n : {192, 17, 1})
    expect_none("images", [&] { f.apply(Points(MatrixView<const double>(X.view.data(), n, features)), {out.data(), n, 3}); });
  set_num_threads(0);
}

TEST(kernel_values_allocate_nothing) {
  set_num_threads(1);
  const auto cross = naive::normal<double>(40, supports, 7);
  const KernelExpansion f(Kernel("linear", {}), Samples::counted(supports),
                          SharedMatrix::copy_of(naive::normal<double>(supports, 3, 9).view));
  Matrix out(40, 3);
  expect_none("values", [&] { f.apply_values(cross.view, out.view()); });
  set_num_threads(0);
}

TEST(layers_allocate_nothing) {
  set_num_threads(1);
  std::vector<SupportedLayer> layers = three_supported_layers();
  const LayeredMap map(layers);
  layers[0].supports = Samples::counted(supports);
  const LayeredMap counted(layers);
  const auto sparse_S = naive::sparse_of(naive::normal<double>(supports, features, 2));
  layers[0].supports = Samples::copy_of(Points(sparse_S.rows()));
  const LayeredMap sparse(std::move(layers));

  const auto X = naive::normal<double>(300, features, 7), inner = naive::normal<double>(300, supports, 8);
  const auto sparse_X = naive::sparse_of(X);
  const Matrix x_squares = Matrix::filled(300, 1, 30.0), s_squares = Matrix::filled(supports, 1, 30.0);
  Matrix out(300, 2);
  for (const Index n : {300, 17, 1}) {
    const MatrixView<const double> rows(X.view.data(), n, features);
    expect_none("layers", [&] { map.apply(1, 3, Points(rows), {out.data(), n, 2}); });
    SparseRows<double> sparse_rows = sparse_X.rows();
    sparse_rows.rows = n;
    expect_none("layers of sparse rows", [&] { sparse.apply(1, 3, Points(sparse_rows), {out.data(), n, 2}); });
    if (n > 192) continue;  // the codes of many are not kept
    const InnerProducts<double> XS({inner.view.data(), n, supports}, {x_squares.data(), n, 1}, s_squares.view());
    expect_none("layers of inner products", [&] { counted.apply(3, XS, {out.data(), n, 2}); });
  }
  set_num_threads(0);
}

TEST_MAIN
