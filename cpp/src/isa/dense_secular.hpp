// SPDX-License-Identifier: BSD-3-Clause
// What finding the eigenvalues of a diagonal matrix plus one of rank one spends its time on: sums and products over poles.
#pragma once

#include "isa/dense_table.hpp"
#include "isa/pair.hpp"
#include "isa/table.hpp"
#include "isa/vec.hpp"

namespace gramian::isa {
namespace {

template <class T>
SecularSums<T> secular_sums(const SecularJob<T>& job) {
  constexpr Index lanes = Vec<T>::lanes;
  using V = typename Vec<T>::type;
  const V origin = broadcast<T>(job.origin), shift = broadcast<T>(job.shift), one = broadcast<T>(T(1));
  V value{}, slope{};
  Index i = 0;
  for (; i + lanes <= job.count; i += lanes) {
    const V inverse = one / (load<T>(job.poles + i) - origin - shift), term = load<T>(job.squares + i) * inverse;
    value += term;
    slope += term * inverse;
  }
  SecularSums<T> sums{sum_of_lanes<T>(value), sum_of_lanes<T>(slope)};
  for (; i < job.count; ++i) {
    const T inverse = T(1) / (job.poles[i] - job.origin - job.shift), term = job.squares[i] * inverse;
    sums.value += term;
    sums.slope += term * inverse;
  }
  return sums;
}

template <class T>
void distance_products(const DistanceJob<T>& job) {
  constexpr Index lanes = Vec<T>::lanes;
  using V = typename Vec<T>::type;
  const V zero{}, minus_one = broadcast<T>(T(-1));
  Index i = job.first;
  for (; i + lanes <= job.end; i += lanes) {
    const V pole = load<T>(job.poles + i);
    V product = broadcast<T>(T(1));
    GRAMIAN_NO_UNROLL
    for (Index j = 0; j < job.count; ++j) {
      const V gap = pole - broadcast<T>(job.poles[j]);
      product *= load<T>(job.distances + j * job.stride + i) / (gap == zero ? minus_one : gap);
    }
    store<T>(job.products + i, product);
  }
  for (; i < job.end; ++i) {
    T product = T(1);
    for (Index j = 0; j < job.count; ++j) {
      product *= job.distances[j * job.stride + i] / (i == j ? T(-1) : job.poles[i] - job.poles[j]);
    }
    job.products[i] = product;
  }
}

template <class T>
T divide_by_distances(Index count, const T* numerators, T* distances) {
  constexpr Index lanes = Vec<T>::lanes;
  typename Vec<T>::type squares{};
  Index i = 0;
  for (; i + lanes <= count; i += lanes) {
    const typename Vec<T>::type quotient = load<T>(numerators + i) / load<T>(distances + i);
    squares += quotient * quotient;
    store<T>(distances + i, quotient);
  }
  T sum = sum_of_lanes<T>(squares);
  for (; i < count; ++i) {
    distances[i] = numerators[i] / distances[i];
    sum += distances[i] * distances[i];
  }
  return sum;
}

}  // namespace
}  // namespace gramian::isa
