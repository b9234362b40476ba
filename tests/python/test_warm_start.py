# SPDX-License-Identifier: BSD-3-Clause
"""Ridge regressions that begin with the coefficients of the last fit: the answer is the same."""

from __future__ import annotations

import gramian
import numpy as np
import pytest
from gramian.kernels import Gaussian
from gramian.operators import DiagonalRegularization
from sklearn.base import clone

X = np.random.default_rng(0).normal(size=(40, 3))
RIDGES = {
    "OperatorKernelRidge": gramian.OperatorKernelRidge(
        DiagonalRegularization(Gaussian(gamma=0.1), 0.3), alpha=1e-4, solver="cg", tol=1e-9
    ),
    "KernelRidge": gramian.KernelRidge(10.0, kernel="rbf", gamma=0.3, solver="cg"),
}
FACTORS = np.geomspace(1e-2, 1e2, len(X))  # a preconditioner knows their mean only, so that iterations are many


@pytest.mark.parametrize("name", RIDGES)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_conjugate_gradients_go_on_and_end_where_others_do(name):
    cold = clone(RIDGES[name]).fit(X, X**2, FACTORS)
    model = clone(RIDGES[name]).set_params(max_iter=2, warm_start=True).fit(X, X**2, FACTORS)
    stopped = model.objective_
    assert model.stop_reason_ == "max_iter"
    model.set_params(max_iter=1000).fit(X, X**2, FACTORS)
    np.testing.assert_allclose(model.history_["value"][0], stopped, rtol=1e-6)
    np.testing.assert_allclose(model.predict(X), cold.predict(X), rtol=0, atol=1e-6)
    assert (model.fit(X, X**2, FACTORS).n_iter_, len(model.history_["value"])) == (1, 1)  # it is there already
    model.set_params(alpha=2 * model.alpha).fit(X, X**2 + 0.1)
    np.testing.assert_allclose(model.predict(X), clone(model).fit(X, X**2 + 0.1).predict(X), rtol=0, atol=1e-6)


@pytest.mark.parametrize("name", RIDGES)
def test_conjugate_gradients_go_on_with_as_many_samples_and_targets(name):
    model = clone(RIDGES[name]).set_params(warm_start=True).fit(X, X**2)
    for samples, targets in ((X[:30], X[:30] ** 2), (X, X[:, :2])):
        with pytest.raises(ValueError, match="or the number of targets, has changed. Use warm_start=False"):
            model.fit(samples, targets)
    if name == "OperatorKernelRidge":  # which leaves out samples of weight 0
        with pytest.raises(ValueError, match="Use warm_start=False"):
            model.fit(X, X**2, np.r_[0.0, FACTORS[1:]])
    else:
        model.fit(X, X**2, np.r_[0.0, FACTORS[1:]])
    assert model.set_params(warm_start=False).fit(X[:30], X[:30] ** 2).stop_reason_ == "tol"


def test_solvers_that_do_not_iterate_begin_nowhere():
    for model in (gramian.OperatorKernelRidge(warm_start=True), gramian.KernelRidge(warm_start=True)):
        few = model.fit(X, X**2).fit(X[:30], X[:30] ** 2)
        np.testing.assert_array_equal(few.dual_coef_, clone(model).fit(X[:30], X[:30] ** 2).dual_coef_)
