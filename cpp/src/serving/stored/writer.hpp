// SPDX-License-Identifier: BSD-3-Clause
// The parts of a model on their way into a document. Numbers and expressions go to one JSON object, arrays to tensors; both have
// dotted names, such as "layers.0.penalty".
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gramian/base/shared_matrix.hpp"
#include "gramian/io/document.hpp"
#include "io/json.hpp"

namespace gramian::stored {

/// How deep children of a writer or of a reader may be.
constexpr int most_nested = 32;

/// Everything throws std::invalid_argument, which names the entry, for a name that is taken and for numbers that are not finite.
class Writer {
 public:
  /// `family` names what the model is.
  explicit Writer(const std::string& family);

  void put(const std::string& name, io::Json value);
  /// An array of float64. The numbers are shared, not copied.
  void matrix(const std::string& name, const SharedMatrix& A);
  /// A copy.
  void matrix(const std::string& name, MatrixView<const double> A);
  /// Nothing for an empty one.
  void matrix_if_any(const std::string& name, const SharedMatrix& A) {
    if (!A.empty()) matrix(name, A);
  }
  void vector(const std::string& name, const std::vector<double>& numbers);
  void indices(const std::string& name, const std::vector<Index>& numbers);

  /// The writer of entries whose names begin with `name` and a dot.
  Writer child(const std::string& name) const;
  Writer child(const std::string& name, std::size_t number) const { return child(name + "." + std::to_string(number)); }

  /// What was put so far. `python` is a JSON text that C++ does not look into.
  io::Document document(const std::optional<std::string>& python = std::nullopt) const;

 private:
  struct State;
  Writer(std::shared_ptr<State> state, std::string prefix, int depth);
  std::string taken(const std::string& name);
  void add(const std::string& name, io::Element type, std::vector<Index> shape, const void* data,
           std::shared_ptr<const void> owner);

  std::shared_ptr<State> state_;
  std::string prefix_;
  int depth_ = 0;
};

}  // namespace gramian::stored
