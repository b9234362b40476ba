// SPDX-License-Identifier: BSD-3-Clause
// Values of an enumeration by the names that they have in model files.
#pragma once

#include <stdexcept>
#include <string>

#include "io/utf8.hpp"
#include "serving/stored/reader.hpp"

namespace gramian::stored {

template <class Choice>
struct Named {
  const char* name;
  Choice choice;
};

/// Throws std::invalid_argument if it has none.
template <class Choice, std::size_t count>
const char* name_in(const Named<Choice> (&names)[count], Choice choice) {
  for (const auto& known : names) {
    if (known.choice == choice) return known.name;
  }
  throw std::invalid_argument("the model has a choice that model files have no name for");
}

/// Throws ModelFileError, which lists the names, if `name` is none of them. `what` is what the entry calls it, if it is a part of
/// the entry.
template <class Choice, std::size_t count>
Choice choice_named(const Named<Choice> (&names)[count], const std::string& name, const Reader& from, const std::string& entry,
                    const std::string& what = "") {
  std::string all;
  for (const auto& known : names) {
    if (name == known.name) return known.choice;
    all += (all.empty() ? "" : ", ") + std::string(known.name);
  }
  from.refuse(entry, what + (what.empty() ? "" : " ") + io::quoted(name) + " is none of " + all);
}

template <class Choice, std::size_t count>
Choice take_choice(const Named<Choice> (&names)[count], Reader& from, const std::string& entry) {
  return choice_named(names, from.text(entry), from, entry);
}

}  // namespace gramian::stored
