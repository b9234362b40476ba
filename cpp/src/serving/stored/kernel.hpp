// SPDX-License-Identifier: BSD-3-Clause
// Kernels in model files: a tree of names of the registry. {"kernel": name, "parameters": [..], "length_scales": [..]},
// {"sum": [a, b, ..]}, {"product": [a, b, ..]}, which mean ((a b) ..), {"multiple": [factor, a]}, and {"images": a}, whose map is
// in the entries "<name>.map0", "<name>.map1", .. in the order of the tree.
#pragma once

#include <optional>
#include <string>

#include "gramian/kernels/kernel.hpp"
#include "serving/stored/reader.hpp"
#include "serving/stored/writer.hpp"

namespace gramian::stored {

/// Parts that a kernel may have, so that no file exhausts the stack.
constexpr Index most_kernels = 1000;

/// Throws std::invalid_argument for a kernel on images of a map that only its program knows.
void put_kernel(Writer& writer, const std::string& name, const Kernel& kernel);

/// Throws ModelFileError; for a name that the registry does not have, with those that it has.
Kernel take_kernel(Reader& reader, const std::string& name);

/// The same for a kernel that a model may have.
void put_kernel_if_any(Writer& writer, const std::string& name, const std::optional<Kernel>& kernel);
std::optional<Kernel> take_kernel_if_any(Reader& reader, const std::string& name);

}  // namespace gramian::stored
