# SPDX-License-Identifier: BSD-3-Clause
"""How ConditionalMeanEmbedding chooses its penalty and widths, against one solve for each fold, width and penalty."""

from __future__ import annotations

import numpy as np
import pytest
from gramian import ConditionalMeanEmbedding
from gramian.kernels import Delta, Gaussian, Laplacian, Linear
from samples import ANISOTROPIC, COMPOSITES, LEAVES, REGISTRY
from sklearn.model_selection import GridSearchCV, KFold, LeaveOneOut, ShuffleSplit

PENALTIES = [1e-6, 1e-3, 0.1, 10.0]
FACTORS = [0.5, 1.0, 3.0]
OUTPUT = Gaussian(gamma=0.7)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(45, 2))
    return X, np.sin(2 * X[:, 0]) + 0.2 * rng.normal(size=45)


def naive_loss(kernel, output, penalty, data, split, regularised):
    X, y = data
    train, test = split
    n, K = len(train), kernel(X[train])
    inverse = np.linalg.inv(K + n * penalty * np.eye(n))
    L, cross = output(y[train, None]), output(y[test, None], y[train, None])
    beta = kernel(X[test], X[train]) @ inverse
    loss = output.diag(y[test, None]) - 2 * (beta * cross).sum(axis=1) + ((beta @ L) * beta).sum(axis=1)
    return loss.mean() + (penalty * np.trace(L @ inverse @ K @ inverse) if regularised else 0.0)


def naive_table(kernel, output, data, splits, regularised):
    weights = [len(test) for _, test in splits]
    return np.array(
        [
            [
                np.average(
                    [naive_loss(kernel._stretched(f), output, a, data, s, regularised) for s in splits], weights=weights
                )
                for a in PENALTIES
            ]
            for f in FACTORS
        ]
    )


def losses(model):
    return -model.cv_results_["mean_test_score"]


@pytest.mark.parametrize("regularised", [False, True])
@pytest.mark.parametrize("output", [OUTPUT, Linear()], ids=repr)
@pytest.mark.parametrize(
    "cv", [4, KFold(3), ShuffleSplit(2, test_size=0.4, random_state=1)], ids=["number", "folds", "shuffled"]
)
def test_losses_are_those_of_the_formula(data, regularised, output, cv):
    kernel = Gaussian(length_scale=0.8)
    model = ConditionalMeanEmbedding(
        kernel,
        output,
        learn="cv",
        penalties=PENALTIES,
        length_scale_factors=FACTORS,
        cv=cv,
        regularised=regularised,
        random_state=0,
    ).fit(*data)
    folds = KFold(4, shuffle=True, random_state=0) if cv == 4 else cv
    expected = naive_table(kernel, output, data, list(folds.split(data[0])), regularised)
    # The systems' condition numbers are up to 1 / penalty, in NumPy's inverse as well.
    found = losses(model).reshape(expected.shape)
    for column, penalty in enumerate(PENALTIES):
        np.testing.assert_allclose(found[:, column], expected[:, column], rtol=1e-13 * (1 + 1 / penalty))
    row, column = np.unravel_index(expected.argmin(), expected.shape)
    assert model.penalty_ == PENALTIES[column]
    assert model.kernel_ == kernel._stretched(FACTORS[row])
    twin = ConditionalMeanEmbedding(model.kernel_, output, penalty=model.penalty_).fit(*data)
    np.testing.assert_allclose(model.predict(data[0]), twin.predict(data[0]), rtol=1e-12)
    assert twin.cv_results_ is None


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("landmarks", [None, 20])
def test_leaving_one_out_is_as_many_splits(data, landmarks, weighted):
    options = {
        "penalties": PENALTIES,
        "length_scale_factors": FACTORS,
        "landmarks": landmarks,
        "random_state": 0,
    }
    weights = np.arange(45) % 4 + 0.5 if weighted else None
    kernel = Gaussian(length_scale=0.8)
    each = ConditionalMeanEmbedding(kernel, OUTPUT, learn="cv", cv=LeaveOneOut(), **options).fit(*data, weights)
    once = ConditionalMeanEmbedding(kernel, OUTPUT, learn="loo", **options).fit(*data, weights)
    np.testing.assert_allclose(losses(once), losses(each), rtol=1e-6)
    assert once.penalty_ == each.penalty_ and once.kernel_ == each.kernel_
    np.testing.assert_array_equal(once.predict(data[0]), each.predict(data[0]))
    assert np.isnan(once.cv_results_["std_test_score"]).all() and "split0_test_score" not in once.cv_results_
    twin = ConditionalMeanEmbedding(kernel, OUTPUT, landmarks=landmarks, random_state=0)
    twin.set_params(**once.cv_results_["params"][int(np.argmin(losses(once)))]).fit(*data, weights)
    np.testing.assert_array_equal(twin.predict(data[0]), once.predict(data[0]))


def test_leaving_one_out_takes_gram_matrices_and_refuses_the_norm(data):
    X, y = data
    kernel = Gaussian(gamma=0.5)
    options = {"learn": "loo", "penalties": PENALTIES}
    model = ConditionalMeanEmbedding("precomputed", "precomputed", **options).fit(kernel(X), OUTPUT(y[:, None]))
    twin = ConditionalMeanEmbedding(kernel, OUTPUT, length_scale_factors=[1.0], **options).fit(X, y)
    np.testing.assert_allclose(losses(model), losses(twin), rtol=1e-9)
    with pytest.raises(ValueError, match="regularised=True of ConditionalMeanEmbedding is for learn='cv': set it"):
        twin.set_params(regularised=True).fit(X, y)
    for advised in ({"learn": "cv", "random_state": 0}, {"regularised": False}):
        twin.set_params(**advised).fit(X, y)
    with pytest.raises(ValueError, match="None, 'cv' or 'loo'"):
        ConditionalMeanEmbedding(learn="gcv").fit(X, y)


def test_what_is_chosen_is_good(data):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(400, 2))
    y = np.sin(2 * X[:, 0]) + 0.2 * rng.normal(size=400)
    model = ConditionalMeanEmbedding(learn="cv", random_state=0).fit(X[:200], y[:200])
    assert len(model.cv_results_["params"]) == 5 * 7
    assert 1e-6 < model.penalty_ < 1.0
    assert model.score(X[200:], y[200:]) > 0.8
    assert model.loss(X[200:], y[200:]) < ConditionalMeanEmbedding(penalty=1.0).fit(X[:200], y[:200]).loss(
        X[200:], y[200:]
    )


def test_precomputed_and_labels(data):
    X, y = data
    kernel, labels = Gaussian(gamma=0.5), np.where(y > 0, "up", "down")
    options = {"learn": "cv", "penalties": PENALTIES, "random_state": 0}
    model = ConditionalMeanEmbedding("precomputed", "precomputed", **options).fit(kernel(X), OUTPUT(y[:, None]))
    twin = ConditionalMeanEmbedding(kernel, OUTPUT, length_scale_factors=[1.0], **options).fit(X, y)
    np.testing.assert_allclose(losses(model), losses(twin), rtol=1e-9)
    assert set(model.cv_results_["param_kernel"]) == {model.kernel_} and len(losses(model)) == 4
    named = ConditionalMeanEmbedding(kernel, Delta(), **options).fit(X, labels)
    numbered = ConditionalMeanEmbedding(kernel, Delta(), **options).fit(X, (y > 0).astype(float))
    np.testing.assert_allclose(losses(named), losses(numbered), rtol=1e-9)
    pairs = ConditionalMeanEmbedding(lambda a, b: float(np.exp(-abs(a - b))), OUTPUT, **options).fit(list(X[:, 0]), y)
    vectors = ConditionalMeanEmbedding(Laplacian(), OUTPUT, length_scale_factors=[1.0], **options).fit(X[:, :1], y)
    np.testing.assert_allclose(losses(pairs), losses(vectors), rtol=1e-9)


def test_folds_follow_the_random_state(data):
    fits = [losses(ConditionalMeanEmbedding(learn="cv", random_state=seed).fit(*data)) for seed in (0, 0, 1)]
    np.testing.assert_array_equal(fits[0], fits[1])
    assert (fits[0] != fits[2]).any()


def test_scikit_learns_searches_reach_everything(data):
    search = GridSearchCV(
        ConditionalMeanEmbedding(Gaussian()),
        {"penalty": [1e-3, 10.0], "kernel__gamma": [0.5, 1.0]},
        scoring=lambda model, X, y: -model.loss(X, y),
    ).fit(*data)
    assert search.best_params_["penalty"] == 1e-3


@pytest.mark.parametrize("kernel", [*LEAVES, *ANISOTROPIC, *COMPOSITES], ids=repr)
def test_a_stretched_kernel_is_the_kernel_of_shrunk_points(kernel, rng):
    X = rng.normal(size=(20, 3))
    before = repr(kernel)
    every_part = [REGISTRY[name].width is not None for name in engine_names(kernel._lower(3).spec)]
    assert kernel._has_width == any(every_part) and repr(kernel) == before
    if all(every_part):
        np.testing.assert_allclose(kernel._stretched(3.0)(X), kernel(X / 3.0), rtol=1e-12)
        assert not np.allclose(kernel._stretched(3.0)(X), kernel(X))
    elif not any(every_part):
        assert kernel._stretched(3.0) == kernel


def engine_names(spec):
    parts = [part for part in spec[1:] if spec[0] in ("sum", "product", "multiple") and isinstance(part, tuple)]
    return [name for part in parts for name in engine_names(part)] or [spec[0]]
