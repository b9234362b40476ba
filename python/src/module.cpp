// SPDX-License-Identifier: BSD-3-Clause
// gramian._core: one bind_<topic>.cpp a topic.
#include <pybind11/pybind11.h>

namespace gramian::python {

void bind_errors(pybind11::module_& module);
void bind_base(pybind11::module_& module);
void bind_random(pybind11::module_& module);
void bind_kernels(pybind11::module_& module);
void bind_gram(pybind11::module_& module);
void bind_linalg(pybind11::module_& module);
void bind_linalg_spectral(pybind11::module_& module);
void bind_adjoint(pybind11::module_& module);
void bind_low_rank(pybind11::module_& module);
void bind_losses(pybind11::module_& module);
void bind_optim(pybind11::module_& module);
void bind_layers(pybind11::module_& module);
void bind_ridge_output(pybind11::module_& module);
void bind_features(pybind11::module_& module);
void bind_preimage(pybind11::module_& module);
void bind_autoencoder_use(pybind11::module_& module);
void bind_autoencoder(pybind11::module_& module);
void bind_compression(pybind11::module_& module);
void bind_conditional_mean(pybind11::module_& module);
void bind_deep_pca(pybind11::module_& module);
void bind_deep_pca_objective(pybind11::module_& module);
void bind_deep_regression(pybind11::module_& module);
void bind_dependency(pybind11::module_& module);
void bind_embedding(pybind11::module_& module);
void bind_operator(pybind11::module_& module);
void bind_stiefel(pybind11::module_& module);

}  // namespace gramian::python

PYBIND11_MODULE(_core, module) {
  module.doc() = "The compiled engine of gramian. Private: use the functions and classes of the package.";
  gramian::python::bind_errors(module);
  gramian::python::bind_base(module);
  gramian::python::bind_random(module);
  gramian::python::bind_kernels(module);
  gramian::python::bind_gram(module);
  gramian::python::bind_linalg(module);
  gramian::python::bind_linalg_spectral(module);
  gramian::python::bind_adjoint(module);
  gramian::python::bind_low_rank(module);
  gramian::python::bind_losses(module);
  gramian::python::bind_optim(module);
  gramian::python::bind_layers(module);
  gramian::python::bind_ridge_output(module);
  gramian::python::bind_features(module);
  gramian::python::bind_preimage(module);
  gramian::python::bind_autoencoder_use(module);
  gramian::python::bind_autoencoder(module);
  gramian::python::bind_compression(module);
  gramian::python::bind_conditional_mean(module);
  gramian::python::bind_deep_pca(module);
  gramian::python::bind_deep_pca_objective(module);
  gramian::python::bind_deep_regression(module);
  gramian::python::bind_dependency(module);
  gramian::python::bind_embedding(module);
  gramian::python::bind_operator(module);
  gramian::python::bind_stiefel(module);
}
