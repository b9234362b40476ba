// SPDX-License-Identifier: BSD-3-Clause
#include "model_mutator.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include "description_mutator.hpp"

namespace fuzz {
namespace {

using gramian::Index;
using gramian::io::Document;
using gramian::io::Element;
using gramian::io::Tensor;

using Texts = std::vector<std::pair<std::string, std::string>>;

constexpr Index most_bytes = Index(1) << 20;  // of an array

const std::vector<double>& special_entries() {
  static const std::vector<double> numbers = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()};
  return numbers;
}

const std::vector<Index>& special_indices() {
  static const std::vector<Index> numbers = {
      0, 1, -1, 2, 59, 60, 61, 1000, std::numeric_limits<Index>::max(), std::numeric_limits<Index>::min(), Index(1) << 53};
  return numbers;
}

/// The bytes repeated or cut to this length, on a block of their own.
Tensor with_bytes(Tensor tensor, Index bytes) {
  const auto owner = std::make_shared<std::vector<std::uint64_t>>(static_cast<std::size_t>(bytes / 8 + 1));
  auto* to = reinterpret_cast<char*>(owner->data());
  const auto* from = static_cast<const char*>(tensor.data);
  const Index old = tensor.data == nullptr ? 0 : tensor.bytes();
  for (Index k = 0; k < bytes; ++k) to[k] = old == 0 ? '\0' : from[k % old];
  tensor.data = to;
  tensor.owner = owner;
  return tensor;
}

/// Another shape, with as many numbers as it has; the same one if these are too many.
void reshape(Tensor& tensor, std::vector<Index> shape) {
  double bytes = static_cast<double>(gramian::io::element_size(tensor.type));
  for (const Index extent : shape) bytes *= static_cast<double>(extent);
  if (bytes >= static_cast<double>(most_bytes)) return;
  tensor = with_bytes(tensor, static_cast<Index>(bytes));
  tensor.shape = std::move(shape);
}

/// Only f64 and i64 are in models.
void change_entries(Tensor& tensor, Dice& dice) {
  tensor = with_bytes(tensor, tensor.bytes());
  const Index count = tensor.size();
  if (count == 0) return;
  auto* words64 = static_cast<std::uint64_t*>(const_cast<void*>(tensor.data));
  const bool real = tensor.type == Element::f64;
  if (!real && tensor.type != Element::i64) return;
  for (std::size_t times = dice.chance(8) ? static_cast<std::size_t>(count) : 1 + dice.below(4); times > 0; --times) {
    std::uint64_t& word = words64[dice.below(static_cast<std::size_t>(count))];
    double number = 0.0;
    std::memcpy(&number, &word, 8);
    if (real) number = dice.chance(16) ? dice.one_of(special_entries()) : other_number(number, dice);
    const Index index =
        dice.chance(2) ? dice.one_of(special_indices()) : static_cast<Index>(dice.chance(2) ? word + 1 : word - 1);
    std::memcpy(&word, real ? static_cast<const void*>(&number) : static_cast<const void*>(&index), 8);
  }
}

void change_shape(Tensor& tensor, Dice& dice) {
  std::vector<Index> shape = tensor.shape;
  const std::size_t at = shape.empty() ? 0 : dice.below(shape.size());
  switch (shape.empty() ? 5 : dice.below(7)) {
    case 0: shape[at] += 1; break;
    case 1: shape[at] = std::max<Index>(0, shape[at] - 1); break;
    case 2: std::reverse(shape.begin(), shape.end()); break;
    case 3: shape[at] = static_cast<Index>(dice.below(4)); break;
    case 4: shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(at)); break;
    case 5: shape.push_back(static_cast<Index>(dice.below(3))); break;
    default:  // no numbers, but many rows
      shape[at] = 0;
      for (Index& extent : shape) extent = extent == 0 ? 0 : Index(1) << (20 + dice.below(30));
  }
  reshape(tensor, std::move(shape));
}

void change_type(Tensor& tensor, Dice& dice) {
  const Element types[] = {Element::f64, Element::f32, Element::i64, Element::i32, Element::u8, Element::boolean};
  const Element type = types[dice.below(6)];
  tensor = with_bytes(tensor, gramian::checked_product(tensor.size(), gramian::io::element_size(type)));
  tensor.type = type;
}

std::vector<Tensor> changed_tensors(std::vector<Tensor> tensors, const std::vector<Tensor>& others, Dice& dice) {
  if (tensors.empty()) return others;
  const std::size_t at = dice.below(tensors.size());
  Tensor& tensor = tensors[at];
  switch (dice.below(16)) {
    case 0: tensors.erase(tensors.begin() + static_cast<std::ptrdiff_t>(at)); break;
    case 1: change_type(tensor, dice); break;
    case 2: tensor.name = dice.chance(2) ? tensor.name + ".rows" : dice.one_of(tensors).name; break;
    case 3:
      if (!others.empty()) {
        Tensor taken = dice.one_of(others);
        if (dice.chance(2)) taken.name = tensor.name;
        tensors.push_back(std::move(taken));
        if (tensors.back().name == tensors[at].name) tensors.erase(tensors.begin() + static_cast<std::ptrdiff_t>(at));
      }
      break;
    case 4:
    case 5: change_shape(tensor, dice); break;
    default: change_entries(tensor, dice);
  }
  return tensors;
}

/// One extent of a whole model: where one array has n rows, and another n columns, both have m then.
void resize(std::vector<Tensor>& tensors, Texts& texts, Dice& dice) {
  if (tensors.empty()) return;
  const std::vector<Index> some = dice.one_of(tensors).shape;
  if (some.empty()) return;
  const Index from = dice.one_of(some), to = dice.chance(3) ? from + 1 : static_cast<Index>(dice.below(9));
  for (Tensor& tensor : tensors) {
    std::vector<Index> shape = tensor.shape;
    std::replace(shape.begin(), shape.end(), from, to);
    reshape(tensor, std::move(shape));
  }
  if (dice.chance(4)) return;
  for (auto& [name, text] : texts) {
    if (name == "model") text = with_number(text, static_cast<double>(from), static_cast<double>(to));
  }
}

Document assembled(const std::vector<Tensor>& tensors, const Texts& texts) {
  Document out;
  for (const Tensor& tensor : tensors) out.add(tensor);
  for (const auto& [name, text] : texts) out.set_text(name, text);
  return out;
}

}  // namespace

bool read_seed(const std::uint8_t* data, std::size_t size, Document& out) {
  try {
    const Document document = gramian::io::parse_document(data, size);
    Document kept;
    for (const Tensor& tensor : document.tensors()) {
      if (tensor.name.rfind("python", 0) != 0) kept.add(tensor);
    }
    for (const auto& [name, text] : document.texts()) {
      if (name != "python") kept.set_text(name, text);
    }
    out = std::move(kept);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

Document mutated(const Document& document, const Document& other, Dice& dice) {
  std::vector<Tensor> tensors = document.tensors();
  Texts texts(document.texts().begin(), document.texts().end());
  for (std::size_t times = dice.chance(4) ? 2 : 1; times > 0; --times) {
    const std::size_t how = dice.below(40);
    if (how == 0 && !texts.empty()) {
      texts[dice.below(texts.size())].second = dice.one_of(words());
    } else if (how == 1) {
      if (const std::string* theirs = other.find_text("model")) {
        for (auto& [name, text] : texts) text = name == "model" ? *theirs : text;
      }
    } else if (how < 10) {
      resize(tensors, texts, dice);
    } else if (how < 25) {
      for (auto& [name, text] : texts) {
        if (name == "model") text = changed_model(text, dice);
      }
    } else {
      tensors = changed_tensors(std::move(tensors), other.tensors(), dice);
    }
  }
  return assembled(tensors, texts);
}

}  // namespace fuzz
