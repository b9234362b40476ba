// SPDX-License-Identifier: BSD-3-Clause
// A fitted model as a value: it owns all that its predictions need. Each family has one; programs that do not know the family use
// this interface.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "gramian/base/export.hpp"
#include "gramian/base/view.hpp"
#include "gramian/gram/points.hpp"

namespace gramian::stored {
class Writer;
class Reader;
}  // namespace gramian::stored

namespace gramian {

/// The operations of a fitted model on rows of numbers.
enum class Verb {
  predict,            ///< values of a regression; of a classifier the number of the class, from 0
  predict_proba,      ///< probabilities of the classes
  transform,          ///< codes or features
  inverse_transform,  ///< rows of the input from codes
  scores              ///< of each class or candidate, the best one has the largest
};

/// "predict", "predict_proba", ...
GRAMIAN_API const char* name_of(Verb verb);

/// The label of a class, as the training had it.
using ClassLabel = std::variant<std::int64_t, double, std::string>;

/// A fitted model. It does not change: any number of threads may use it at the same time, and copies share their numbers. A row
/// of a result depends on its row of the input only, to the last bit.
class GRAMIAN_API Predictor {
 public:
  virtual ~Predictor();

  /// The family, by which a file names it: "embedding", "deep_pca", ...
  virtual const char* family() const = 0;
  /// How many numbers a row has that the operation takes: features, codes, or, where the kernel is precomputed, kernel values
  /// with the training samples. 0: the model does not have this operation.
  virtual Index inputs(Verb verb) const = 0;
  /// How many numbers it returns for each row.
  virtual Index outputs(Verb verb) const = 0;
  /// The labels of the classes, in the order of their columns; empty unless the model is a classifier.
  virtual const std::vector<ClassLabel>& classes() const;

  bool has(Verb verb) const { return inputs(verb) > 0; }

  /// Whether the training rows are sparse: rows of X are then compared as sparse rows too. apply() takes either form.
  virtual bool takes_sparse(Verb verb) const;

  /// out(i, :) = verb(x_i) for each row of X, dense or sparse; out: X.size() x outputs(verb). Throws std::invalid_argument for an
  /// operation that the model does not have, for shapes that do not fit and for entries that are not finite.
  void apply(Verb verb, const Points& X, MatrixView<double> out) const;

  /// Puts all parts where a file has them: save_model() of model_file.hpp calls it.
  virtual void store(stored::Writer& to) const = 0;

 protected:
  Predictor() = default;
  Predictor(const Predictor&) = default;
  Predictor(Predictor&&) = default;
  Predictor& operator=(const Predictor&) = default;
  Predictor& operator=(Predictor&&) = default;

  /// What apply() does once the arguments are checked.
  virtual void compute(Verb verb, const Points& X, MatrixView<double> out) const = 0;
};

}  // namespace gramian
