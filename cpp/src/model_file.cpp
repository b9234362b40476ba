// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/model_file.hpp"

#include <algorithm>
#include <iterator>

#include "gramian/models/autoencoder/feature_space_predictor.hpp"
#include "gramian/models/autoencoder/predictor.hpp"
#include "gramian/models/conditional_mean/predictor.hpp"
#include "gramian/models/deep_pca/predictor.hpp"
#include "gramian/models/deep_regression/predictor.hpp"
#include "gramian/models/dependency/operator_predictor.hpp"
#include "gramian/models/dependency/predictor.hpp"
#include "gramian/models/embedding/predictor.hpp"
#include "gramian/models/kernel_ridge/predictor.hpp"
#include "io/utf8.hpp"
#include "serving/stored/reader.hpp"
#include "serving/stored/writer.hpp"

namespace gramian {
namespace {

template <class Model>
std::shared_ptr<const Predictor> load(stored::Reader& from) {
  return std::make_shared<const Model>(Model::load(from));
}

struct Family {
  const char* name;
  std::shared_ptr<const Predictor> (*load)(stored::Reader&);
};

/// What files name, in the order of the alphabet.
constexpr Family families[] = {
    {"autoencoder", &load<autoencoder::Predictor>},
    {"conditional_mean", &load<conditional_mean::Predictor>},
    {"deep_pca", &load<deep_pca::Predictor>},
    {"deep_regression", &load<deep_regression::Predictor>},
    {"dependency", &load<dependency::Predictor>},
    {"embedding", &load<embedding::Predictor>},
    {"k2_autoencoder", &load<autoencoder::FeatureSpacePredictor>},
    {"kernel_ridge", &load<kernel_ridge::Predictor>},
    {"operator_ridge", &load<dependency::OperatorPredictor>},
    {"parametric_deep_pca", &load<deep_pca::ParametricPredictor>},
};

const Family& family_named(const std::string& name) {
  const auto* found =
      std::find_if(std::begin(families), std::end(families), [&](const Family& known) { return name == known.name; });
  if (found != std::end(families)) return *found;
  std::string names;
  for (const Family& known : families) names += (names.empty() ? "" : ", ") + std::string(known.name);
  throw ModelFileError("family " + io::quoted(name) + " is none of " + names);
}

}  // namespace

io::Document document_of(const Predictor& model) {
  stored::Writer writer(model.family());
  model.store(writer);
  return writer.document();
}

AnyModel model_of(const io::Document& document) {
  stored::Reader reader(document);
  const Family& family = family_named(reader.family());
  AnyModel model(reader.checked("model", [&] { return family.load(reader); }));
  reader.finish();
  return model;
}

void save_model(const Predictor& model, const std::string& path) { io::write_document(document_of(model), path); }

AnyModel load_model(const std::string& path) {
  const io::Document document = io::read_document(path);
  try {
    return model_of(document);
  } catch (const ModelFileError& error) {
    throw ModelFileError(path + ": " + error.what());
  }
}

AnyModel load_model_from_memory(const void* bytes, std::size_t size) { return model_of(io::parse_document(bytes, size)); }

}  // namespace gramian
