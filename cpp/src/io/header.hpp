// SPDX-License-Identifier: BSD-3-Clause
// The JSON header of a model file: where each tensor is.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gramian/io/document.hpp"

namespace gramian::io {

constexpr Index length_bytes = 8;  // before the header: its length

/// A tensor of a header: it has no data yet.
struct HeaderEntry {
  Tensor tensor;
  Index begin = 0, end = 0;  ///< bytes of the data
};

struct Header {
  std::map<std::string, std::string, std::less<>> texts;
  std::vector<HeaderEntry> entries;  ///< in the order of the data, without gap or overlap
};

/// The length of the header of a file of `size` bytes that begins with these; checked against both limits.
Index header_length(const unsigned char (&first)[length_bytes], Index size);

/// Reads a header before `data_size` bytes of data. Whatever it says fits these; else it throws ModelFileError.
Header parse_header(std::string_view text, Index data_size);

/// The first bytes of a file, up to the data, which begin at a multiple of 64. `order` has the tensors as they follow.
std::string format_header(const Document& document, const std::vector<const Tensor*>& order);

/// All tensors, those of larger entries first, so that all are aligned without gaps.
std::vector<const Tensor*> order_of(const Document& document);

/// Throws std::runtime_error on a machine that stores the highest byte of a number first.
void require_little_endian();

}  // namespace gramian::io
