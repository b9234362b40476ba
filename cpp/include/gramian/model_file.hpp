// SPDX-License-Identifier: BSD-3-Clause
// Fitted models in files: saved by one program, loaded by another one, in C++, Python, C or any language that calls C.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "gramian/base/export.hpp"
#include "gramian/io/document.hpp"
#include "gramian/serving/predictor.hpp"

namespace gramian {

/// A model of any family.
class AnyModel {
 public:
  explicit AnyModel(std::shared_ptr<const Predictor> model) : model_(std::move(model)) {}

  const std::shared_ptr<const Predictor>& predictor() const { return model_; }
  /// The model with its own type, as in as<embedding::Predictor>(). Throws std::invalid_argument if it is of another one.
  template <class Model>
  const Model& as() const {
    const auto* model = dynamic_cast<const Model*>(model_.get());
    if (model == nullptr)
      throw std::invalid_argument(std::string("the model is of another type: its family is ") + model_->family());
    return *model;
  }

 private:
  std::shared_ptr<const Predictor> model_;
};

/// Replaces the file as a whole, or makes it: whatever happens, the path has the old file or the new one. path: UTF-8. Throws
/// std::invalid_argument for a model with parts that a file can't hold, as features of a program's own, before anything is
/// written; FileError.
GRAMIAN_API void save_model(const Predictor& model, const std::string& path);

/// The model of a file, which may come from anybody: everything is validated before it is used. At most twice the memory of the
/// file. Throws ModelFileError, with the path and what is wrong; FileError; MemoryLimitError.
GRAMIAN_API AnyModel load_model(const std::string& path);
/// The same from the bytes of a file, which are copied.
GRAMIAN_API AnyModel load_model_from_memory(const void* bytes, std::size_t size);

/// The document of a file before it is written, and after it is read: for programs that add texts and arrays of their own.
GRAMIAN_API io::Document document_of(const Predictor& model);
GRAMIAN_API AnyModel model_of(const io::Document& document);

}  // namespace gramian
