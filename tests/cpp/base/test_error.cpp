// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/base/error.hpp"

#include <exception>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "support/check.hpp"

using namespace gramian;

namespace {

template <class Error>
std::string caught_as_runtime_error(const Error& thrown) {
  try {
    throw thrown;
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

}  // namespace

TEST(each_error_is_a_runtime_error_with_its_message) {
  CHECK_EQ(caught_as_runtime_error(NumericalError("raise alpha")), "raise alpha");
  CHECK_EQ(caught_as_runtime_error(MemoryLimitError(std::string("too large"))), "too large");
  CHECK_EQ(caught_as_runtime_error(Interrupted()), "interrupted");
}

TEST(errors_are_told_apart) {
  CHECK_THROWS(NumericalError, throw NumericalError("x"));
  CHECK((!std::is_base_of_v<NumericalError, MemoryLimitError>));
  CHECK((!std::is_base_of_v<NumericalError, Interrupted>));
  CHECK((!std::is_base_of_v<std::invalid_argument, NumericalError>));
}

TEST(errors_of_files_say_whose_they_are) {
  CHECK_THROWS(std::invalid_argument, throw ModelFileError("cut off"));
  CHECK((!std::is_base_of_v<std::invalid_argument, FileError>));
  const FileError error(std::make_error_code(std::errc::permission_denied), "write", "a/model");
  CHECK_EQ(error.path(), "a/model");
  CHECK(error.code() == std::errc::permission_denied);
  CHECK_EQ(std::string(error.what()), "write a/model: " + error.code().message());
}

TEST(an_error_survives_the_way_through_exception_ptr) {
  std::exception_ptr kept;
  try {
    throw MemoryLimitError("kept");
  } catch (...) {
    kept = std::current_exception();
  }
  CHECK_THROWS(MemoryLimitError, std::rethrow_exception(kept));
}

TEST(require_throws_only_if_the_condition_fails) {
  require(true, "never seen");
  require(true, std::string("never seen"));
  CHECK_THROWS(std::invalid_argument, require(false, "gamma must be positive"));
  try {
    require(false, std::string("gamma must be ") + "positive");
    CHECK(false);
  } catch (const std::invalid_argument& error) {
    CHECK_EQ(std::string(error.what()), "gamma must be positive");
  }
}

TEST_MAIN
