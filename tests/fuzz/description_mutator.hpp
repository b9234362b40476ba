// SPDX-License-Identifier: BSD-3-Clause
// Changes of the text that describes a model: kernels, names, counts.
#pragma once

#include <string>
#include <vector>

#include "dice.hpp"

namespace fuzz {

/// Words that files use: kernels, and names of parts and of families.
const std::vector<std::string>& words();

/// A number close to this one, or one that is special.
double other_number(double number, Dice& dice);

/// The description with one value changed. Kernels and numbers are chosen more often than what they are in.
std::string changed_model(const std::string& text, Dice& dice);

/// The description where every number that is `from` is `to`: counts that arrays agree with.
std::string with_number(const std::string& text, double from, double to);

}  // namespace fuzz
