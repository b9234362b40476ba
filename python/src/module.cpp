// SPDX-License-Identifier: BSD-3-Clause
// gramian._core: a submodule for each topic and each family, one bind_<topic>.cpp for each part of it.
#include <pybind11/pybind11.h>

#include "gramian/build.hpp"

namespace gramian::python {

void bind_errors(pybind11::module_& module);
void bind_base(pybind11::module_& module);
void bind_io(pybind11::module_& module);
void bind_checkpoint(pybind11::module_& module);
void bind_kernels(pybind11::module_& module);
void bind_gram(pybind11::module_& module);
void bind_adjoint(pybind11::module_& module);
void bind_landmark_features(pybind11::module_& module);
void bind_low_rank(pybind11::module_& module);
void bind_normal(pybind11::module_& module);
void bind_normal_sum(pybind11::module_& module);
void bind_preimage(pybind11::module_& module);
void bind_samples(pybind11::module_& module);
void bind_linalg(pybind11::module_& module);
void bind_linalg_spectral(pybind11::module_& module);
void bind_losses(pybind11::module_& module);
void bind_penalties(pybind11::module_& module);
void bind_optim(pybind11::module_& module);
void bind_solvers(pybind11::module_& module);
void bind_layers(pybind11::module_& module);
void bind_composition_map(pybind11::module_& module);
void bind_ridge_output(pybind11::module_& module);
void bind_features(pybind11::module_& module);
void bind_serving(pybind11::module_& module);
void bind_operator_ridge(pybind11::module_& module);
void bind_operator(pybind11::module_& module);
void bind_layered(pybind11::module_& module);
void bind_autoencoder(pybind11::module_& module);
void bind_autoencoder_predictor(pybind11::module_& module);
void bind_compression(pybind11::module_& module);
void bind_embedding_types(pybind11::module_& module);
void bind_embedding(pybind11::module_& module);
void bind_conditional_mean(pybind11::module_& module);
void bind_conditional_mean_distribution(pybind11::module_& module);
void bind_conditional_mean_landmarks(pybind11::module_& module);
void bind_conditional_mean_use(pybind11::module_& module);
void bind_kernel_ridge(pybind11::module_& module);
void bind_deep_pca_options(pybind11::module_& module);
void bind_deep_pca_fit(pybind11::module_& module);
void bind_deep_pca(pybind11::module_& module);
void bind_deep_pca_maps(pybind11::module_& module);
void bind_deep_pca_objective(pybind11::module_& module);
void bind_deep_regression_options(pybind11::module_& module);
void bind_deep_regression(pybind11::module_& module);
void bind_deep_regression_predictor(pybind11::module_& module);
void bind_deep_regression_objective(pybind11::module_& module);
void bind_dependency(pybind11::module_& module);
void bind_dependency_use(pybind11::module_& module);

namespace {

using Bind = void (*)(pybind11::module_&);

struct Part {
  const char* submodule;
  Bind bind;
};

constexpr Part parts[] = {
    {"base", &bind_base},
    {"io", &bind_io},
    {"base", &bind_checkpoint},
    {"kernels", &bind_kernels},
    {"gram", &bind_gram},
    {"gram", &bind_adjoint},
    {"gram", &bind_low_rank},
    {"gram", &bind_normal},
    {"gram", &bind_normal_sum},
    {"gram", &bind_landmark_features},
    {"gram", &bind_preimage},
    {"gram", &bind_samples},
    {"linalg", &bind_linalg},
    {"linalg", &bind_linalg_spectral},
    {"losses", &bind_losses},
    {"losses", &bind_penalties},
    {"optim", &bind_optim},
    {"linalg", &bind_solvers},
    {"layers", &bind_layers},
    {"layers", &bind_composition_map},
    {"layers", &bind_ridge_output},
    {"layers", &bind_features},
    {"serving", &bind_serving},
    {"operators", &bind_operator_ridge},
    {"operators", &bind_operator},
    {"layered", &bind_layered},
    {"autoencoder", &bind_autoencoder},
    {"autoencoder", &bind_autoencoder_predictor},
    {"embedding", &bind_compression},
    {"embedding", &bind_embedding_types},
    {"embedding", &bind_embedding},
    {"conditional_mean", &bind_conditional_mean},
    {"conditional_mean", &bind_conditional_mean_distribution},
    {"conditional_mean", &bind_conditional_mean_landmarks},
    {"conditional_mean", &bind_conditional_mean_use},
    {"kernel_ridge", &bind_kernel_ridge},
    {"deep_pca", &bind_deep_pca_options},
    {"deep_pca", &bind_deep_pca_fit},
    {"deep_pca", &bind_deep_pca},
    {"deep_pca", &bind_deep_pca_maps},
    {"deep_pca", &bind_deep_pca_objective},
    {"deep_regression", &bind_deep_regression_options},
    {"deep_regression", &bind_deep_regression},
    {"deep_regression", &bind_deep_regression_predictor},
    {"deep_regression", &bind_deep_regression_objective},
    {"dependency", &bind_dependency},
    {"dependency", &bind_dependency_use},
};

pybind11::module_ submodule_of(pybind11::module_& module, const char* name) {
  return pybind11::hasattr(module, name) ? module.attr(name).cast<pybind11::module_>() : module.def_submodule(name);
}

}  // namespace

}  // namespace gramian::python

PYBIND11_MODULE(_core, module) {
  module.doc() = "The compiled engine of gramian. Private: use the functions and classes of the package.";
  module.attr("__version__") = gramian::build_report().version;
  gramian::python::bind_errors(module);
  for (const auto& part : gramian::python::parts) {
    auto submodule = gramian::python::submodule_of(module, part.submodule);
    part.bind(submodule);
  }
}
