// SPDX-License-Identifier: BSD-3-Clause
#include "serving/stored/format.hpp"

#include <charconv>
#include <string_view>

#include "io/utf8.hpp"

namespace gramian::stored {
namespace {

struct Version {
  int major = 0, minor = 0;
};

/// "1.0": two numbers without signs and without leading zeros.
Version version_in(const std::string& name, const std::string& text) {
  const auto part = [&](std::string_view digits) {
    int value = 0;
    const char* end = digits.data() + digits.size();
    const auto result = std::from_chars(digits.data(), end, value);
    const bool plain = !digits.empty() && digits.front() != '-' && (digits.front() != '0' || digits.size() == 1);
    if (!plain || result.ec != std::errc() || result.ptr != end) {
      throw ModelFileError(name + " " + io::quoted(text) + " is no version such as '" + format_version() + "'");
    }
    return value;
  };
  const std::string_view whole(text);
  const auto point = whole.find('.');
  if (point == std::string_view::npos) return {part(whole), part("")};
  return {part(whole.substr(0, point)), part(whole.substr(point + 1))};
}

}  // namespace

std::string format_version() { return std::to_string(format_major) + "." + std::to_string(format_minor); }

const std::string& required_text(const io::Document& document, const std::string& name) {
  const std::string* text = document.find_text(name);
  if (text == nullptr) throw ModelFileError("the text '" + name + "' is missing: this is no model of gramian");
  return *text;
}

Age check_format(const io::Document& document) {
  if (const std::string& format = required_text(document, "format"); format != format_text) {
    throw ModelFileError("format " + io::quoted(format) + " is not '" + format_text + "': this is no model of gramian");
  }
  const std::string& text = required_text(document, "format_version");
  const Version version = version_in("format_version", text);
  const auto refuse = [&] {
    throw ModelFileError("format_version " + text + ": wanted is " + std::to_string(format_major) + ".x up to " +
                         format_version() + "; load the file with the version of gramian that saved it, or a later one");
  };
  if (version.major != format_major) refuse();
  if (version.minor <= format_minor) return Age::known;
  const std::string* readable_by = document.find_text("readable_by");
  if (readable_by == nullptr) refuse();
  const Version reader = version_in("readable_by", *readable_by);
  if (reader.major != format_major || reader.minor > format_minor) refuse();
  return Age::newer;
}

}  // namespace gramian::stored
