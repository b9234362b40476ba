# SPDX-License-Identifier: BSD-3-Clause
"""A fit that is killed goes on from its checkpoint, with the bits of one that was not: every estimator and solver."""

from __future__ import annotations

import os
import signal
import warnings
from typing import Any, NamedTuple

import gramian
import numpy as np
import pytest
from gramian.features import Network
from gramian.kernels import Gaussian
from gramian.losses import EpsilonInsensitive
from gramian.models._shared.landmarks import Switch
from gramian.operators import DiagonalRegularization
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

X = np.random.default_rng(0).normal(size=(30, 3))
NUMBERS = np.sin(2 * X[:, 0]) + X[:, 1]
LABELS = (NUMBERS > 0).astype(int)
WEIGHTS = {"alpha": 0.01, "inner_alpha": 0.01}
GRIDS = {"alpha": None, "alphas": [1e-3, 1e-1], "inner_alpha": None, "inner_alphas": [1e-2, 1.0], "cv": 2}
MIXED = DiagonalRegularization(Gaussian(gamma=0.1), 0.3)


class Case(NamedTuple):
    """An estimator that takes several iterations."""

    estimator: Any
    y: Any = None
    every: int = 1
    """Iterations between two checkpoints: with estimates, of which a callback sees few, more than one."""


def autoencoder(every: int = 1, **options: Any) -> Case:
    options = {"tol": 1e-6, "max_iter": 12, "random_state": 0, **options}
    return Case(gramian.KernelAutoencoder(**options), every=every)


def batches(**options: Any) -> Case:
    options = {"penalty": 1e-2, "kernels": "rbf", **options}
    return autoencoder(every=20, last_layer="joint", batch_size=8, max_iter=410, **options)


def classifier(**options: Any) -> Case:
    return Case(gramian.EmbeddingClassifier(**{"max_iter": 12, "random_state": 0, **options}), LABELS)


def regressor(**options: Any) -> Case:
    return Case(
        gramian.DeepKernelRegressor(**{"max_iter": 12, "n_init": 2, "random_state": 0, **WEIGHTS, **options}), NUMBERS
    )


def deep_pca(**options: Any) -> Case:
    return Case(gramian.DeepKernelPCA((3, 2), **{"max_iter": 12, "random_state": 0, **options}))


SMALL = Switch(most_exact=10, per_root=2, searched=20)


class SearchedAutoencoder(gramian.KernelAutoencoder):
    """Searches on a part of a few rows."""

    _switch = SMALL


class SearchedRegressor(gramian.DeepKernelRegressor):
    """Searches on a part of a few rows."""

    _switch = SMALL


CASES = {
    "autoencoder-lbfgs": autoencoder(),
    "autoencoder-starts": autoencoder(n_init=3),
    "autoencoder-alternating": autoencoder(solver="alternating"),
    "autoencoder-gd": autoencoder(solver="gd", last_layer="joint"),
    "autoencoder-constrained": autoencoder(solver="gd", max_norm=2.0, penalty=0),
    "autoencoder-adam": autoencoder(solver="adam"),
    "autoencoder-batches": batches(solver="adam"),
    "autoencoder-sgd": batches(solver="sgd", n_init=2),
    "k2": Case(gramian.K2Autoencoder(max_iter=12, random_state=0)),
    "embedding-adam": classifier(),
    "embedding-batches": classifier(batch_size=16),
    "embedding-lbfgs": classifier(learn="rademacher", solver="lbfgs", tol=1e-9),
    "embedding-cv": classifier(learn="cv", penalties=[1e-3, 1e-2, 1e-1], length_scale_factors=[0.5, 1.0, 2.0]),
    "embedding-features": classifier(features=Network([(4, "tanh")])),
    "regressor-lbfgs": regressor(),
    "regressor-bfgs": regressor(solver="bfgs"),
    "regressor-adam": regressor(solver="adam"),
    "regressor-kinked": regressor(loss=EpsilonInsensitive(0.05), max_iter=40),
    "regressor-validation": regressor(**GRIDS),
    "classifier": Case(gramian.DeepKernelClassifier(max_iter=12, n_init=1, random_state=0, **WEIGHTS), LABELS),
    "autoencoder-searched": Case(SearchedAutoencoder(tol=1e-6, max_iter=12, random_state=0)),
    "regressor-searched": Case(SearchedRegressor(max_iter=12, n_init=2, random_state=0, **WEIGHTS), NUMBERS),
    "interpolator": Case(gramian.DeepKernelInterpolator(max_iter=12, n_init=2, random_state=0), NUMBERS),
    "pca-lbfgs": deep_pca(),
    "pca-starts": deep_pca(n_init=2, init="random"),
    "pca-adam": deep_pca(solver="riemannian_adam"),
    "pca-descent": deep_pca(solver="projected_gradient"),
    "pca-self-consistent": deep_pca(kernels=["rbf", "linear"], solver="self_consistent", init="random", tol=1e-12),
    "maps": Case(gramian.ParametricDeepKernelPCA(n_rounds=2, max_iter=8, learning_rate=0.001, random_state=0)),
    "ridge": Case(gramian.KernelRidge(1e-8, kernel="rbf", gamma=0.01, landmarks=29, tol=1e-9, random_state=0), X**2),
    "operator": Case(gramian.OperatorKernelRidge(MIXED, alpha=1e-6, solver="cg", tol=1e-13), X**2),
}


@pytest.fixture(params=list(CASES))
def case(request: pytest.FixtureRequest) -> Case:
    """Each estimator with each of its ways to iterate."""
    return CASES[request.param]


def fitted(case: Case, **parameters: Any) -> Any:
    """Return a fitted copy; it need not have converged."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return clone(case.estimator).set_params(**parameters).fit(X, case.y)


def bits(value: Any) -> Any:
    """Return something that is equal for equal bits only."""
    if isinstance(value, np.ndarray):
        return (str(value.dtype), value.shape, value.tobytes() if value.dtype != object else repr(value))
    if isinstance(value, float):
        return value.hex()
    if isinstance(value, dict):
        return {key: bits(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [bits(entry) for entry in value]
    if hasattr(value, "stop_reason_"):
        return learned(value)
    return repr(value)


def learned(model: Any) -> dict[str, Any]:
    """Return what a fit has left, to the last bit."""
    return {name: bits(value) for name, value in vars(model).items() if name.endswith("_") or name.startswith("_")}


def fit_in_a_child(case: Case, path: Any, iterations: int, threads: int = 1, **parameters: Any) -> int:
    """Fit in a process that is killed in that iteration of its own; return how it ended."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    left = iterations

    def die(_: Any) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    try:
        gramian.set_num_threads(threads)
        fitted(case, checkpoint=path, callback=die, **{"checkpoint_every": case.every, **parameters})
    finally:
        os._exit(0)


def test_a_killed_fit_goes_on_with_the_same_bits(case, tmp_path):
    path = tmp_path / "fit.checkpoint"
    whole = learned(fitted(case))
    for iteration in (3, 2, 4):
        assert fit_in_a_child(case, path, iteration) == -signal.SIGKILL
        assert path.exists()
    gramian.set_num_threads(2)
    try:
        resumed = fitted(case, checkpoint=path)
    finally:
        gramian.set_num_threads(None)
    assert learned(resumed) == whole
    assert not path.exists()


def test_iterations_between_two_checkpoints_are_done_again(tmp_path):
    case, path = CASES["autoencoder-lbfgs"], tmp_path / "fit.checkpoint"
    assert fit_in_a_child(case, path, 6, checkpoint_every=4) == -signal.SIGKILL
    numbers: list[int] = []
    resumed = fitted(case, checkpoint=path, callback=lambda point: numbers.append(point.number))
    assert numbers == list(range(5, resumed.n_iter_ + 1))
    assert learned(resumed) == learned(fitted(case))


def test_a_fit_that_was_stopped_goes_on(case, tmp_path):
    path = tmp_path / "fit.checkpoint"
    stopped = fitted(case, checkpoint=path, max_time=1e-9)
    assert stopped.stop_reason_ == "max_time" and path.exists()
    assert learned(fitted(case, checkpoint=path)) == learned(fitted(case))
    assert not path.exists()


def test_a_fit_in_which_a_callback_raised_goes_on(tmp_path):
    case, path = CASES["autoencoder-starts"], tmp_path / "fit.checkpoint"
    seen: list[int] = []

    def fail(point: Any) -> None:
        seen.append(point.number)
        if len(seen) == 15:
            raise KeyError("no")

    with pytest.raises(KeyError, match="no"):
        fitted(case, checkpoint=path, callback=fail)
    assert learned(fitted(case, checkpoint=path)) == learned(fitted(case))


def test_seeds_that_nobody_chose_are_kept(tmp_path):
    case, path = CASES["autoencoder-starts"], tmp_path / "fit.checkpoint"
    free = Case(clone(case.estimator).set_params(random_state=None, init="random"))
    assert fit_in_a_child(free, path, 20) == -signal.SIGKILL
    ends = []
    for _ in range(2):
        copy = tmp_path / "copy"
        copy.write_bytes(path.read_bytes())
        ends.append(learned(fitted(free, checkpoint=copy)))
    assert ends[0] == ends[1]


def test_other_fits_are_refused(tmp_path):
    case, path = CASES["regressor-lbfgs"], tmp_path / "fit.checkpoint"
    assert fit_in_a_child(case, path, 3) == -signal.SIGKILL
    before = path.read_bytes()
    model = clone(case.estimator).set_params(checkpoint=path)
    with pytest.raises(ValueError, match=r"max_iter is 12 there and 13 here.*Remove the file"):
        clone(model).set_params(max_iter=13).fit(X, NUMBERS)
    with pytest.raises(ValueError, match=r"kernels is None there and Gaussian\(.*gamma=0.5"):
        clone(model).set_params(kernels=Gaussian(gamma=0.5)).fit(X, NUMBERS)
    with pytest.raises(ValueError, match=r"X is float64 \(30, 3\) #\w+ there and float64 \(30, 3\) #\w+ here"):
        model.fit(X + 1e-16 + 1e-9, NUMBERS)
    with pytest.raises(ValueError, match=r"y is float64"):
        model.fit(X, NUMBERS[::-1])
    with pytest.raises(ValueError, match=r"sample_weight is None there and float64 \(30,\)"):
        model.fit(X, NUMBERS, sample_weight=np.ones(30))
    with pytest.raises(ValueError, match="estimator is DeepKernelRegressor there and KernelAutoencoder here"):
        gramian.KernelAutoencoder(checkpoint=path).fit(X)
    assert path.read_bytes() == before
    changed = {"verbose": 0, "max_time": 1000.0, "checkpoint_every": 7, "n_jobs": 2}
    assert learned(fitted(case, checkpoint=path, **changed)) == learned(fitted(case))


def test_broken_files_are_refused(tmp_path):
    case, path = CASES["regressor-lbfgs"], tmp_path / "fit.checkpoint"
    assert fit_in_a_child(case, path, 3) == -signal.SIGKILL
    whole = path.read_bytes()
    model = clone(case.estimator).set_params(checkpoint=path)
    for part in (whole[:0], whole[:7], whole[: len(whole) // 2], whole[:-1], whole + b"\0", b"\0" * 100):
        path.write_bytes(part)
        with pytest.raises(gramian.exceptions.ModelFileError):
            model.fit(X, NUMBERS)
        assert path.read_bytes() == part


def test_wrong_parameters_are_refused(tmp_path):
    model = gramian.KernelAutoencoder(checkpoint=tmp_path / "fit")
    with pytest.raises(ValueError, match=r"'checkpoint_every' parameter of KernelAutoencoder must be .*Got 0"):
        clone(model).set_params(checkpoint_every=0).fit(X)
    with pytest.raises(TypeError, match="'checkpoint_every' parameter"):
        clone(model).set_params(checkpoint_every=1.5).fit(X)
    with pytest.raises(TypeError, match="The 'checkpoint' parameter of KernelAutoencoder must be a path or None"):
        clone(model).set_params(checkpoint=3).fit(X)
    with pytest.raises(ValueError, match="needs warm_start=False"):
        clone(model).set_params(warm_start=True).fit(X)
    with pytest.raises(ValueError, match="must not have a checkpoint: set that of ParametricDeepKernelPCA"):
        gramian.ParametricDeepKernelPCA(pca=gramian.DeepKernelPCA((2, 2), "linear", checkpoint=tmp_path / "fit")).fit(X)
    with pytest.raises(FileNotFoundError, match="folder of the 'checkpoint' of KernelAutoencoder"):
        clone(model).set_params(checkpoint=tmp_path / "none" / "fit").fit(X)


def test_short_fits_write_nothing(tmp_path):
    path = tmp_path / "fit.checkpoint"
    seen: list[bool] = []
    model = fitted(CASES["regressor-lbfgs"], checkpoint=path, callback=lambda point: seen.append(path.exists()))
    assert len(seen) >= model.n_iter_ and not any(seen) and not path.exists()
