// SPDX-License-Identifier: BSD-3-Clause
// Vectors of the instruction set that this object is compiled for, by the compiler's own extension; without it plain numbers.
#pragma once

#include <cstdint>

#if !(defined(__GNUC__) || defined(__clang__)) && !defined(GRAMIAN_SCALAR_VECTORS)
#define GRAMIAN_SCALAR_VECTORS
#endif
#if defined(GRAMIAN_SCALAR_VECTORS)
#include <math.h>
#endif

// The instructions that are named below; none where numbers are plain, whatever the compiler's flags.
#if !defined(GRAMIAN_SCALAR_VECTORS)
#if defined(__AVX512F__)
#define GRAMIAN_AVX512
#endif
#if defined(__AVX__)
#define GRAMIAN_AVX
#endif
#if defined(__SSE2__)
#define GRAMIAN_SSE2
#include <immintrin.h>
#endif
#endif

#if defined(__GNUC__) || defined(__clang__)
#define GRAMIAN_INLINE inline __attribute__((always_inline))
#define GRAMIAN_NO_INLINE __attribute__((noinline))
#define GRAMIAN_UNROLL _Pragma("GCC unroll 16")
#define GRAMIAN_NO_UNROLL _Pragma("GCC unroll 1")
#else
#define GRAMIAN_INLINE inline
#define GRAMIAN_NO_INLINE
#define GRAMIAN_UNROLL
#define GRAMIAN_NO_UNROLL
#endif

// Widths in bytes, and the register block of the micro-kernel: rows x vectors of accumulators, with room left for the operands.
#if defined(GRAMIAN_SCALAR_VECTORS)
#define GRAMIAN_BLOCK_ROWS 4
#define GRAMIAN_BLOCK_VECTORS 2
#elif defined(GRAMIAN_AVX512)
#define GRAMIAN_VECTOR_BYTES 64
#define GRAMIAN_BLOCK_ROWS 8
#define GRAMIAN_BLOCK_VECTORS 3
#elif defined(GRAMIAN_AVX)
#define GRAMIAN_VECTOR_BYTES 32
#define GRAMIAN_BLOCK_ROWS 4
#define GRAMIAN_BLOCK_VECTORS 3
#else
#define GRAMIAN_VECTOR_BYTES 16
#define GRAMIAN_BLOCK_ROWS 4
#define GRAMIAN_BLOCK_VECTORS 2
#endif

namespace gramian::isa {
namespace {

template <class T>
struct IntegerOf;
template <>
struct IntegerOf<double> {
  using type = std::uint64_t;
};
template <>
struct IntegerOf<float> {
  using type = std::uint32_t;
};

#if defined(GRAMIAN_SCALAR_VECTORS)

template <class T>
struct Vec {
  using type = T;
  using bits = typename IntegerOf<T>::type;
  static constexpr int lanes = 1;
};
template <class T>
GRAMIAN_INLINE T load(const T* p) {
  return *p;
}
template <class T>
GRAMIAN_INLINE void store(T* p, T x) {
  *p = x;
}
template <class T>
GRAMIAN_INLINE T broadcast(T x) {
  return x;
}
GRAMIAN_INLINE std::uint64_t bits_of(double x) {
  union {
    double real;
    std::uint64_t integer;
  } u = {x};
  return u.integer;
}
GRAMIAN_INLINE std::uint32_t bits_of(float x) {
  union {
    float real;
    std::uint32_t integer;
  } u = {x};
  return u.integer;
}
GRAMIAN_INLINE double real_of(std::uint64_t x) {
  union {
    std::uint64_t integer;
    double real;
  } u = {x};
  return u.real;
}
GRAMIAN_INLINE float real_of(std::uint32_t x) {
  union {
    std::uint32_t integer;
    float real;
  } u = {x};
  return u.real;
}

#else

template <class T>
struct Vec {
  typedef T type __attribute__((vector_size(GRAMIAN_VECTOR_BYTES)));
  typedef T unaligned __attribute__((vector_size(GRAMIAN_VECTOR_BYTES), aligned(sizeof(T)), may_alias));
  typedef typename IntegerOf<T>::type bits __attribute__((vector_size(GRAMIAN_VECTOR_BYTES)));
  static constexpr int lanes = GRAMIAN_VECTOR_BYTES / static_cast<int>(sizeof(T));
};
template <class T>
GRAMIAN_INLINE typename Vec<T>::type load(const T* p) {
  return *reinterpret_cast<const typename Vec<T>::unaligned*>(p);
}
template <class T>
GRAMIAN_INLINE void store(T* p, typename Vec<T>::type x) {
  *reinterpret_cast<typename Vec<T>::unaligned*>(p) = x;
}
template <class T>
GRAMIAN_INLINE typename Vec<T>::type broadcast(T x) {
  return x - typename Vec<T>::type{};  // exactly x, so that no subtraction is left; 0 + x would turn -0 into 0
}
GRAMIAN_INLINE Vec<double>::bits bits_of(Vec<double>::type x) { return reinterpret_cast<Vec<double>::bits>(x); }
GRAMIAN_INLINE Vec<float>::bits bits_of(Vec<float>::type x) { return reinterpret_cast<Vec<float>::bits>(x); }
GRAMIAN_INLINE Vec<double>::type real_of(Vec<double>::bits x) { return reinterpret_cast<Vec<double>::type>(x); }
GRAMIAN_INLINE Vec<float>::type real_of(Vec<float>::bits x) { return reinterpret_cast<Vec<float>::type>(x); }

#endif

/// Where there is no instruction that we name: lane by lane, in the compiler's hands.
template <class T>
GRAMIAN_INLINE typename Vec<T>::type each_sqrt(typename Vec<T>::type x) {
#if defined(GRAMIAN_SCALAR_VECTORS)
  return ::sqrt(x);
#else
  for (int i = 0; i < Vec<T>::lanes; ++i)
    x[i] = sizeof(T) == 8 ? static_cast<T>(__builtin_sqrt(x[i])) : static_cast<T>(__builtin_sqrtf(static_cast<float>(x[i])));
  return x;
#endif
}

template <class V>
struct ElementOfVector;
template <>
struct ElementOfVector<Vec<double>::type> {
  using type = double;
};
template <>
struct ElementOfVector<Vec<float>::type> {
  using type = float;
};
template <class V>
using ElementOf = typename ElementOfVector<V>::type;

// maskz: the plain AVX-512 square root makes g++ 12 warn of its own header.
GRAMIAN_INLINE Vec<double>::type vector_sqrt(Vec<double>::type x) {
#if defined(GRAMIAN_AVX512)
  return (Vec<double>::type)_mm512_maskz_sqrt_pd(0xff, (__m512d)x);
#elif defined(GRAMIAN_AVX)
  return (Vec<double>::type)_mm256_sqrt_pd((__m256d)x);
#elif defined(GRAMIAN_SSE2)
  return (Vec<double>::type)_mm_sqrt_pd((__m128d)x);
#else
  return each_sqrt<double>(x);
#endif
}
GRAMIAN_INLINE Vec<float>::type vector_sqrt(Vec<float>::type x) {
#if defined(GRAMIAN_AVX512)
  return (Vec<float>::type)_mm512_maskz_sqrt_ps(0xffff, (__m512)x);
#elif defined(GRAMIAN_AVX)
  return (Vec<float>::type)_mm256_sqrt_ps((__m256)x);
#elif defined(GRAMIAN_SSE2)
  return (Vec<float>::type)_mm_sqrt_ps((__m128)x);
#else
  return each_sqrt<float>(x);
#endif
}

/// The value of a lane that is not below `low` is kept, NaN included.
template <class V>
GRAMIAN_INLINE V at_least(V x, V low) {
  return x < low ? low : x;
}
template <class V>
GRAMIAN_INLINE V at_most(V x, V high) {
  return x > high ? high : x;
}
#if defined(GRAMIAN_AVX512)
// Here a comparison makes a mask, on a longer way than these. The second operand is what they give for NaN, and for two zeros.
GRAMIAN_INLINE Vec<double>::type at_least(Vec<double>::type x, Vec<double>::type low) {
  return (Vec<double>::type)_mm512_maskz_max_pd(0xff, (__m512d)low, (__m512d)x);
}
GRAMIAN_INLINE Vec<double>::type at_most(Vec<double>::type x, Vec<double>::type high) {
  return (Vec<double>::type)_mm512_maskz_min_pd(0xff, (__m512d)high, (__m512d)x);
}
GRAMIAN_INLINE Vec<float>::type at_least(Vec<float>::type x, Vec<float>::type low) {
  return (Vec<float>::type)_mm512_maskz_max_ps(0xffff, (__m512)low, (__m512)x);
}
GRAMIAN_INLINE Vec<float>::type at_most(Vec<float>::type x, Vec<float>::type high) {
  return (Vec<float>::type)_mm512_maskz_min_ps(0xffff, (__m512)high, (__m512)x);
}
#endif

/// Whether a lane of x is not above that of the limit, as NaN is not.
GRAMIAN_INLINE bool any_not_above(Vec<double>::type x, Vec<double>::type limit) {
#if defined(GRAMIAN_AVX512)
  return _mm512_cmp_pd_mask((__m512d)x, (__m512d)limit, _CMP_NGT_UQ) != 0;
#elif defined(GRAMIAN_AVX)
  return _mm256_movemask_pd(_mm256_cmp_pd((__m256d)x, (__m256d)limit, _CMP_NGT_UQ)) != 0;
#elif defined(GRAMIAN_SSE2)
  return _mm_movemask_pd(_mm_cmpngt_pd((__m128d)x, (__m128d)limit)) != 0;
#elif defined(GRAMIAN_SCALAR_VECTORS)
  return !(x > limit);
#else
  bool any = false;
  for (int i = 0; i < Vec<double>::lanes; ++i) any |= !(x[i] > limit[i]);
  return any;
#endif
}

/// A store past the cache where the processor has one; p is aligned to the vector.
GRAMIAN_INLINE void store_past_cache(double* p, Vec<double>::type x) {
#if defined(GRAMIAN_AVX512)
  _mm512_stream_pd(p, (__m512d)x);
#elif defined(GRAMIAN_AVX)
  _mm256_stream_pd(p, (__m256d)x);
#elif defined(GRAMIAN_SSE2)
  _mm_stream_pd(p, (__m128d)x);
#else
  store(p, x);
#endif
}
GRAMIAN_INLINE void store_past_cache(float* p, Vec<float>::type x) {
#if defined(GRAMIAN_AVX512)
  _mm512_stream_ps(p, (__m512)x);
#elif defined(GRAMIAN_AVX)
  _mm256_stream_ps(p, (__m256)x);
#elif defined(GRAMIAN_SSE2)
  _mm_stream_ps(p, (__m128)x);
#else
  store(p, x);
#endif
}
/// Stores past the cache become visible to other threads in order again.
GRAMIAN_INLINE void fence_stores() {
#if defined(GRAMIAN_SSE2)
  _mm_sfence();
#endif
}

}  // namespace
}  // namespace gramian::isa
