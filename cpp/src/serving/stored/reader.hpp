// SPDX-License-Identifier: BSD-3-Clause
// The parts of a model on their way out of a document that nobody trusts.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "gramian/base/shared_matrix.hpp"
#include "gramian/io/document.hpp"
#include "io/json.hpp"
#include "serving/stored/writer.hpp"

namespace gramian::stored {

constexpr Index any_size = -1;

/// Names of tensors that belong to the text 'python'.
constexpr const char* python_prefix = "python.";

/// The entries that a Writer wrote, by the same names. Everything throws ModelFileError, which names the entry, for one that is
/// missing, of another kind or shape, out of range, or not finite.
class Reader {
 public:
  /// Checks the frame: format, versions, names of the texts.
  explicit Reader(io::Document document);

  const std::string& family() const;
  /// The JSON text for Python; null if there is none.
  const std::string* python() const;

  bool has(const std::string& name) const;
  const io::Json& value(const std::string& name);
  double number(const std::string& name);
  /// A whole number in [lower, upper].
  Index integer(const std::string& name, Index lower = 0, Index upper = Index(1) << 53);
  bool flag(const std::string& name);
  const std::string& text(const std::string& name);

  /// A matrix of this shape, where any_size is any number. It views the document's buffer.
  SharedMatrix matrix(const std::string& name, Index rows = any_size, Index cols = any_size);
  /// Empty if there is none.
  SharedMatrix matrix_if_any(const std::string& name) { return has(name) ? matrix(name) : SharedMatrix(); }
  std::vector<double> vector(const std::string& name, Index size = any_size);
  /// Numbers in [0, bound).
  std::vector<Index> indices(const std::string& name, Index bound, Index size = any_size);

  /// The reader of entries whose names begin with `name` and a dot.
  Reader child(const std::string& name) const;
  Reader child(const std::string& name, std::size_t number) const { return child(name + "." + std::to_string(number)); }

  /// Throws ModelFileError for entries that nobody read, but for those of the text 'python'. In a file of a newer version they
  /// are left alone: it says that it can be read without them.
  void finish() const;

  /// "<entry>: <why>"
  [[noreturn]] void refuse(const std::string& name, const std::string& why) const;

  /// make(), where a value that the engine refuses is an error of this entry.
  template <class F>
  auto checked(const std::string& name, F&& make) const {
    try {
      return make();
    } catch (const ModelFileError&) {
      throw;
    } catch (const std::invalid_argument& error) {
      refuse(name, error.what());
    } catch (const std::length_error& error) {
      refuse(name, error.what());
    }
  }

 private:
  struct State;
  Reader(std::shared_ptr<State> state, std::string prefix, int depth);
  const io::Tensor& tensor(const std::string& name, io::Element type, const std::vector<Index>& shape);

  std::shared_ptr<State> state_;
  std::string prefix_;
  int depth_ = 0;
};

/// The numbers of a JSON array; none if it is something else.
std::optional<std::vector<double>> numbers_in(const io::Json& value);
/// A whole number in [lower, upper]; none if it is something else.
std::optional<Index> integer_in(const io::Json& value, Index lower, Index upper);

}  // namespace gramian::stored
