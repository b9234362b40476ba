// SPDX-License-Identifier: BSD-3-Clause
#include "models/layered/stored_calibration.hpp"

#include "support/check.hpp"
#include "support/stored_parts.hpp"

using namespace gramian;
using support::reader_of;
using support::reread;
using support::says;
using support::Writer;

TEST(a_calibration_comes_back_with_its_bits) {
  Writer writer("test");
  stored::put_calibration(writer, Calibration{1.0 / 3.0, 0.1});
  auto reader = reread(writer);
  const std::optional<Calibration> found = stored::take_calibration(reader);
  CHECK(found.has_value());
  CHECK_EQ(found->inverse_temperature, 1.0 / 3.0);
  CHECK_EQ(found->uniform_share, 0.1);
  reader.finish();
}

TEST(a_model_without_one_has_none) {
  Writer writer("test");
  stored::put_calibration(writer, std::nullopt);
  auto reader = reread(writer);
  CHECK(!stored::take_calibration(reader).has_value());
}

TEST(numbers_that_are_none_are_refused) {
  for (const char* model : {R"({"inverse_temperature":0,"uniform_share":0.1})", R"({"inverse_temperature":-2,"uniform_share":0})",
                            R"({"inverse_temperature":2,"uniform_share":1.5})"}) {
    CHECK_THROWS(ModelFileError, [&] {
      auto reader = reader_of(model);
      stored::take_calibration(reader);
    }());
  }
  CHECK(says("uniform_share", [&] {
    auto reader = reader_of(R"({"inverse_temperature":2})");
    stored::take_calibration(reader);
  }));
}

TEST_MAIN
