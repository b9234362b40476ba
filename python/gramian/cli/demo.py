# SPDX-License-Identifier: BSD-3-Clause
"""`gramian demo`."""

import argparse
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

HELP = "fit models on data that scikit-learn has, beside its own"
DESCRIPTION = """\
Fit models with their defaults on data that scikit-learn has, beside what one would take there. Half a minute.

  gramian demo
"""


_CLASSIFIER = ("EmbeddingClassifier()", "SVC()")
_AUTOENCODER = ("KernelAutoencoder(hidden=(2,))", "PCA(2)")
_REGRESSOR = ("DeepKernelRegressor()", "GaussianProcessRegressor(RBF + White)")
"""Ours, and what one would take of scikit-learn."""


class _Task(NamedTuple):
    what: str
    load: Callable[..., Any]
    ours: str
    theirs: str
    score: Callable[[Any, Any, Any], float]


def add_arguments(_: argparse.ArgumentParser) -> None:
    """Add what the command takes: nothing."""


def run(_: argparse.Namespace) -> None:
    """Print a table, a line as soon as it is known."""
    for task in _tasks():
        data = task.load()
        X, y = data.data, data.target
        order = np.random.default_rng(0).permutation(len(X))
        train, test = np.split(order, [round(0.7 * len(X))])
        print(f"{task.what}, {len(train)} samples to learn from, {len(test)} to test on")
        for name, model in _models(task):
            began = time.perf_counter()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                model.fit(X[train], y[train])
            seconds = time.perf_counter() - began
            print(f"  {name:52}{task.score(model, X[test], y[test]):8.3f}   {seconds:6.2f} s", flush=True)


def _accuracy(model: Any, X: Any, y: Any) -> float:
    return float(np.mean(model.predict(X) == y))


def _determination(model: Any, X: Any, y: Any) -> float:
    return float(model.score(X, y))


def _lost(model: Any, X: Any, y: Any) -> float:
    """Return what two numbers for each sample lose of its variance."""
    scaled = model[0].transform(X)
    return float(np.sum((model[1:].inverse_transform(model[1:].transform(scaled)) - scaled) ** 2) / np.sum(scaled**2))


def _tasks() -> list[_Task]:
    from sklearn import datasets

    return [
        _Task("Cultivars of wine: accuracy", datasets.load_wine, *_CLASSIFIER, _accuracy),
        _Task("Tumours: accuracy", datasets.load_breast_cancer, *_CLASSIFIER, _accuracy),
        _Task(
            "Wine in two numbers: variance lost", datasets.load_wine, "KernelAutoencoder(hidden=(2,))", "PCA(2)", _lost
        ),
        _Task(
            "Diabetes: R²",
            datasets.load_diabetes,
            "DeepKernelRegressor()",
            "GaussianProcessRegressor(RBF + White)",
            _determination,
        ),
    ]


def _models(task: _Task) -> Iterator[tuple[str, Any]]:
    """Return the models of a task with their names, each behind a scaler."""
    from sklearn.decomposition import PCA
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, WhiteKernel
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    import gramian

    models = {
        "EmbeddingClassifier()": gramian.EmbeddingClassifier(random_state=0),
        "SVC()": SVC(),
        "KernelAutoencoder(hidden=(2,))": gramian.KernelAutoencoder(hidden=(2,)),
        "PCA(2)": PCA(2),
        "DeepKernelRegressor()": gramian.DeepKernelRegressor(random_state=0),
        "GaussianProcessRegressor(RBF + White)": GaussianProcessRegressor(RBF(3.0) + WhiteKernel(), normalize_y=True),
    }
    for owner, name in (("gramian", task.ours), ("scikit-learn", task.theirs)):
        yield f"{owner}: {name}", make_pipeline(StandardScaler(), models[name])
