# SPDX-License-Identifier: BSD-3-Clause
"""Results of searches have the format of GridSearchCV."""

from __future__ import annotations

import gramian
import numpy as np
import pytest
from gramian.kernels import Gaussian
from gramian.models._shared.search import search_results
from sklearn.base import clone
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV, KFold

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 2))
Y = np.sin(2 * X[:, 0]) + 0.1 * RNG.normal(size=40)
LABELS = (Y > 0).astype(int)
KERNEL = Gaussian(gamma=0.5)
FEW = {"n_init": 1, "tol": 1e-2, "random_state": 0}

SEARCHES = {
    "conditional mean": gramian.ConditionalMeanEmbedding(
        KERNEL, "linear", learn="cv", cv=3, penalties=[1e-3, 1e-1], length_scale_factors=[0.5, 1.0], random_state=0
    ),
    "dependency": gramian.DependencyRegressor(KERNEL, penalties=[1e-3, 1e-1], preimage="linear"),
    "dependency, held out": gramian.DependencyRegressor(
        KERNEL, penalties=[1e-3, 1e-1], validation=0.25, random_state=0
    ),
    "embedding": gramian.EmbeddingClassifier(
        KERNEL, learn="cv", cv=3, penalties=[1e-3, 1e-1], length_scale_factors=[0.5, 1.0], random_state=0
    ),
    "deep regression": gramian.DeepKernelRegressor(
        [KERNEL, KERNEL], hidden=2, alphas=[0.1, 1.0], inner_alphas=[0.1, 1.0], cv=3, **FEW
    ),
    "one layer": gramian.DeepKernelRegressor([KERNEL], alphas=[0.1, 1.0], cv=3),
    "deep classification": gramian.DeepKernelClassifier(
        [KERNEL, KERNEL], hidden=2, alphas=[0.1, 1.0], inner_alpha=0.1, cv=3, **FEW
    ),
}


@pytest.fixture(params=SEARCHES, scope="module")
def fitted(request):
    model = SEARCHES[request.param]
    return model.fit(X, LABELS if hasattr(model, "predict_proba") else Y)


def test_keys_and_types_are_those_of_a_grid_search(fitted):
    search = GridSearchCV(KernelRidge(), {"alpha": [0.1, 1.0]}, cv=3).fit(X, Y)
    theirs = {key for key in search.cv_results_ if not key.endswith("_time") and key not in ("param_alpha",)}
    table = fitted.cv_results_
    names = sorted(table["params"][0])
    splits = {key for key in table if key.startswith("split")}
    assert set(table) - splits == {
        *(theirs - {f"split{k}_test_score" for k in range(3)}),
        *(f"param_{n}" for n in names),
    }
    for name in names:
        column = table[f"param_{name}"]
        assert isinstance(column, np.ma.MaskedArray) and not np.ma.getmaskarray(column).any()
        assert column.tolist() == [one[name] for one in table["params"]]
    for key in ("mean_test_score", "std_test_score", "rank_test_score"):
        assert table[key].shape == (len(table["params"]),)
    assert table["rank_test_score"].dtype == search.cv_results_["rank_test_score"].dtype


def test_the_chosen_one_has_rank_one(fitted):
    table = fitted.cv_results_
    chosen = {
        name: getattr(fitted, f"{name}_") if name != "inner_alpha" else fitted.inner_alpha_[0]
        for name in table["params"][0]
    }
    ranks = [
        rank
        for one, rank in zip(table["params"], table["rank_test_score"], strict=True)
        if all(value == (one[name] if name == "kernel" else pytest.approx(one[name])) for name, value in chosen.items())
    ]
    assert 1 in ranks
    scores = table["mean_test_score"]
    assert ((scores[None] > scores[:, None]).sum(axis=1) + 1).tolist() == table["rank_test_score"].tolist()
    assert (scores < 0).all()


def test_params_are_parameters_of_a_fit_of_their_own(fitted):
    alone = {"learn": None, "length_scale_factors": None, "penalties": None, "alphas": None, "inner_alphas": None}
    table, target = fitted.cv_results_, LABELS if hasattr(fitted, "predict_proba") else Y
    model = clone(fitted)
    model.set_params(**{name: value for name, value in alone.items() if name in model.get_params()})
    for params in (table["params"][0], table["params"][-1]):
        again = clone(model).set_params(**params).fit(X, target)
        assert again.cv_results_ is None
        for name, value in params.items():
            np.testing.assert_equal(getattr(again, f"{name}_"), value)
    best = table["params"][int(np.argmin(table["rank_test_score"]))]
    found = clone(model).set_params(**best).fit(X, target)
    np.testing.assert_allclose(found.predict(X[:5]), fitted.predict(X[:5]), rtol=1e-9, atol=1e-12)


def test_splits_have_the_mean(fitted):
    table = fitted.cv_results_
    splits = np.array([table[f"split{k}_test_score"] for k in range(len(table)) if f"split{k}_test_score" in table])
    if not len(splits):
        assert np.isnan(table["std_test_score"]).all()  # leave-one-out keeps no scores of single samples
        return
    assert splits.min(axis=0).tolist() <= table["mean_test_score"].tolist() <= splits.max(axis=0).tolist()
    np.testing.assert_allclose(splits.std(axis=0), table["std_test_score"], rtol=0.1, atol=1e-12)


def test_a_search_of_one_layer_is_that_of_kernel_ridge():
    cv = KFold(4)
    ours = gramian.DeepKernelRegressor([KERNEL], alphas=[0.1, 1.0], cv=cv).fit(X, Y).cv_results_
    theirs = GridSearchCV(
        KernelRidge(kernel="rbf", gamma=0.5), {"alpha": [0.1, 1.0]}, cv=cv, scoring="neg_mean_squared_error"
    ).fit(X, Y)
    for key, value in ours.items():
        if key != "params" and not key.startswith("param_"):
            np.testing.assert_allclose(value, theirs.cv_results_[key], rtol=1e-8)
    assert ours["params"] == theirs.cv_results_["params"]


def test_nothing_is_searched_without_a_search():
    assert gramian.ConditionalMeanEmbedding().fit(X, Y).cv_results_ is None
    assert gramian.DependencyRegressor().fit(X, Y).cv_results_ is None
    assert gramian.EmbeddingClassifier(learn=None).fit(X, LABELS).cv_results_ is None
    assert gramian.DeepKernelRegressor([KERNEL], alpha=0.1).fit(X, Y).cv_results_ is None


def test_weights_and_candidates_that_fail():
    table = search_results({"a": [1, 2], "b": [3.0]}, [[1.0, 4.0], [np.inf, 1.0]], weights=[3, 1])
    assert table["params"] == [{"a": 1.0, "b": 3.0}, {"a": 2.0, "b": 3.0}]
    assert table["mean_test_score"].tolist() == [-1.75, -np.inf] and table["rank_test_score"].tolist() == [1, 2]
    assert table["std_test_score"][0] == pytest.approx(np.sqrt(0.75 * 0.75**2 + 0.25 * 2.25**2))
    open_end = search_results({"a": [1, 2, 3]}, None, means=[2.0, np.nan, 2.0])
    assert open_end["rank_test_score"].tolist() == [1, 3, 1] and np.isnan(open_end["std_test_score"]).all()


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (
            gramian.ConditionalMeanEmbedding(penalties=[0.1, 1.0]),
            "'penalties' .* is only for learn='cv', and learn is None",
        ),
        (gramian.ConditionalMeanEmbedding(length_scale_factors=[1.0]), "'length_scale_factors' .* only for learn='cv'"),
        (gramian.EmbeddingClassifier(penalties=[0.1, 1.0]), "'penalties' .* and learn is 'validation'"),
        (
            gramian.EmbeddingClassifier(learn=None, length_scale_factors=[1.0]),
            "'length_scale_factors' .* learn is None",
        ),
        (gramian.DeepKernelRegressor(alphas=[0.0, 1.0]), r"'alphas\[0\]' .* greater than 0"),
        (gramian.DeepKernelRegressor(alpha=0.0), "'alpha' .* must be greater than 0 while another weight is chosen"),
    ],
)
def test_a_grid_that_would_not_be_tried_is_refused(model, message):
    with pytest.raises(ValueError, match=message):
        model.fit(X, LABELS if hasattr(model, "predict_proba") else Y)
