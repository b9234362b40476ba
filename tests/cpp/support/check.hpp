// SPDX-License-Identifier: BSD-3-Clause
// The project's own checks: no test framework can be had on every machine, and these few lines are all that is needed.
// TEST(name) { ... } as often as wanted, TEST_MAIN at the end; a command line argument is a part of the names to run.
#pragma once

#include <cmath>
#include <exception>
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace check {

using Test = std::pair<const char*, void (*)()>;

inline std::vector<Test>& tests() {
  static std::vector<Test> all;
  return all;
}

inline bool add(const char* name, void (*run)()) { return tests().emplace_back(name, run), true; }

inline int failures = 0;

// Locked, as checks may stand in the tasks of a parallel loop.
inline void fail(const char* file, int line, const std::string& message) {
  static std::mutex mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  ++failures;
  std::cout << file << ":" << line << ": " << message << std::endl;
}

template <class T, class = void>
struct Printable : std::false_type {};
template <class T>
struct Printable<T, std::void_t<decltype(std::declval<std::ostream&>() << std::declval<const T&>())>> : std::true_type {};

template <class T>
std::string show(const T& value) {
  std::ostringstream out;
  out.precision(17);
  if constexpr (Printable<T>::value) out << std::boolalpha << value;
  return Printable<T>::value ? out.str() : "(not printable)";
}

// A negative number equals no unsigned one; a plain == would convert it.
template <class A, class B>
bool equal(const A& a, const B& b) {
  if constexpr (std::is_integral_v<A> && std::is_integral_v<B> && std::is_signed_v<A> && std::is_unsigned_v<B>) {
    return a >= 0 && static_cast<std::make_unsigned_t<A>>(a) == b;
  } else if constexpr (std::is_integral_v<A> && std::is_integral_v<B> && std::is_unsigned_v<A> && std::is_signed_v<B>) {
    return equal(b, a);
  } else {
    return a == b;
  }
}

inline void that(bool holds, const std::string& text, const char* file, int line) {
  if (!holds) fail(file, line, text);
}

template <class A, class B>
void are_equal(const A& a, const B& b, const char* text, const char* file, int line) {
  if (!equal(a, b)) fail(file, line, text + (": " + show(a)) + " and " + show(b));
}

// Written so that a NaN anywhere fails.
template <class A, class B, class Tolerance>
void are_near(const A& a, const B& b, const Tolerance& tolerance, const char* text, const char* file, int line) {
  if (!(std::abs(a - b) <= tolerance)) fail(file, line, text + (": " + show(a)) + " and " + show(b));
}

template <class Wanted, class F>
void throws(const F& f, const std::string& text, const char* file, int line) {
  try {
    f();
  } catch (const std::exception& error) {
    return that(dynamic_cast<const Wanted*>(&error) != nullptr, "not " + text + ", but: " + error.what(), file, line);
  }
  fail(file, line, "no " + text);
}

inline bool passes(const Test& test) {
  const int before = failures;
  try {
    test.second();
  } catch (const std::exception& error) {
    fail(test.first, 0, std::string("unexpected exception: ") + error.what());
  } catch (...) {
    fail(test.first, 0, "unexpected exception, not a std::exception");
  }
  return failures == before;
}

inline int run_all(const std::string& filter) {
  int passed = 0, failed = 0;
  for (const Test& test : tests()) {
    if (std::string(test.first).find(filter) != std::string::npos) ++(passes(test) ? passed : failed);
  }
  std::cout << passed << " passed, " << failed << " failed" << std::endl;
  return failed > 0 || passed == 0;  // a run of no test proves nothing
}

}  // namespace check

#define TEST(name)                                                                     \
  static void test_##name();                                                           \
  [[maybe_unused]] static const bool added_##name = ::check::add(#name, &test_##name); \
  static void test_##name()
#define TEST_MAIN \
  int main(int argc, char** argv) { return ::check::run_all(argc > 1 ? argv[1] : ""); }
#define CHECK(...) ::check::that(static_cast<bool>((__VA_ARGS__)), "not true: " #__VA_ARGS__, __FILE__, __LINE__)
#define CHECK_EQ(a, b) ::check::are_equal(a, b, #a " == " #b, __FILE__, __LINE__)
#define CHECK_NEAR(a, b, tol) ::check::are_near(a, b, tol, #a " near " #b " within " #tol, __FILE__, __LINE__)
#define CHECK_THROWS(type, ...) \
  ::check::throws<type>([&] { static_cast<void>(__VA_ARGS__); }, #type " from " #__VA_ARGS__, __FILE__, __LINE__)
