// SPDX-License-Identifier: BSD-3-Clause
#include "serving/stored/format.hpp"

#include <string>

#include "support/check.hpp"
#include "support/model_files.hpp"

using namespace gramian;
using stored::Age;
using support::says;

namespace {

io::Document frame(const std::string& version, const std::string& readable_by = "") {
  io::Document document;
  document.set_text("format", "gramian");
  document.set_text("format_version", version);
  if (!readable_by.empty()) document.set_text("readable_by", readable_by);
  return document;
}

bool refuses(const io::Document& document, const std::string& message) {
  return says(message, [&] { stored::check_format(document); });
}

}  // namespace

TEST(this_version_is_read) {
  CHECK_EQ(stored::format_version(), "1.1");
  CHECK(stored::check_format(frame("1.1")) == Age::known);
  CHECK(stored::check_format(frame("1.0")) == Age::known);
}

TEST(another_major_version_is_refused_and_the_wanted_one_named) {
  for (const char* version : {"2.0", "0.9", "10.0"}) {
    CHECK(refuses(frame(version), std::string("format_version ") + version + ": wanted is 1.x up to 1.1"));
    CHECK(refuses(frame(version, "1.0"), "wanted is 1.x"));
  }
}

TEST(a_newer_minor_version_is_read_if_it_says_so) {
  CHECK(stored::check_format(frame("1.7", "1.0")) == Age::newer);
  CHECK(refuses(frame("1.7"), "format_version 1.7: wanted is 1.x up to 1.1"));
  CHECK(refuses(frame("1.7", "1.2"), "format_version 1.7: wanted"));
  CHECK(refuses(frame("1.7", "2.0"), "format_version 1.7: wanted"));
  CHECK(refuses(frame("1.7", "soon"), "readable_by 'soon' is no version"));
}

TEST(a_version_has_one_form) {
  for (const char* version :
       {"1", "1.", ".0", "01.0", "1.00", "-1.0", "1.-0", "1.0.0", "1,0", " 1.0", "1.0 ", "1.99999999999", "a.b"})
    CHECK(refuses(frame(version), "is no version such as '1.1'"));
}

TEST(other_files_are_refused) {
  CHECK(refuses(io::Document(), "the text 'format' is missing: this is no model of gramian"));
  io::Document other;
  other.set_text("format", "pt");
  CHECK(refuses(other, "format 'pt' is not 'gramian'"));
  io::Document without;
  without.set_text("format", "gramian");
  CHECK(refuses(without, "the text 'format_version' is missing"));
}

TEST_MAIN
