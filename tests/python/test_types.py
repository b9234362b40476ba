# SPDX-License-Identifier: BSD-3-Clause
"""What tools read of the estimators is what is there: parameters, learned attributes, options."""

from __future__ import annotations

import inspect
import re
import typing
import warnings
from types import UnionType

import gramian
import numpy as np
import pytest
import small_models
from gramian.kernels import KernelName
from gramian.kernels.choice import kernel_classes
from gramian.models import CompressedClassifier, compress
from gramian.models._shared.parameters import OneOf

NONSENSE = "no such option"
READ_WITH = {"pivoting": {"rank": 3}, "loss": {"last_layer": "joint"}}
"""Other parameters that some are read with, where the estimator has them."""
FITS = {
    "KernelAutoencoder": small_models.autoencoder,
    "K2Autoencoder": small_models.in_feature_space,
    "DeepKernelRegressor": small_models.regressor,
    "DeepKernelClassifier": small_models.deep_classifier,
    "DeepKernelInterpolator": small_models.interpolator,
    "EmbeddingClassifier": small_models.classifier,
    "ConditionalMeanEmbedding": small_models.embedding,
    "DependencyRegressor": small_models.dependency,
    "OperatorKernelRidge": lambda **options: gramian.OperatorKernelRidge(**options).fit(*_pairs()),
    "KernelRidge": lambda **options: gramian.KernelRidge(**options).fit(*_pairs()),
    "DeepKernelPCA": small_models.deep_pca,
    "ParametricDeepKernelPCA": lambda **options: gramian.ParametricDeepKernelPCA(
        **{"n_rounds": 1, "max_iter": 5, "random_state": 0, **options}
    ).fit(small_models.X),
}


def _pairs():
    return small_models.POINTS, small_models.TARGETS


def fitted(name, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return FITS[name](**options)


def parameters(cls):
    return set(inspect.signature(cls).parameters)


def annotated(cls):
    """The attributes that a class declares, with their types."""
    own = {}
    for base in reversed(cls.__mro__):
        if base.__module__.startswith("gramian"):
            own.update(inspect.get_annotations(base))
    hints = typing.get_type_hints(cls)
    return {name: hints[name] for name in own if typing.get_origin(hints[name]) is not typing.ClassVar}


def options_of(hint):
    """The strings that a type lists."""
    if typing.get_origin(hint) is typing.Literal:
        return {option for option in typing.get_args(hint) if isinstance(option, str)}
    if typing.get_origin(hint) in (typing.Union, UnionType):
        return set().union(*map(options_of, typing.get_args(hint)))
    return set()


def estimators():
    return [getattr(gramian, name) for name in gramian.__all__ if hasattr(getattr(gramian, name), "fit")]


def options():
    """Each parameter of an estimator that has options."""
    found = []
    for cls in estimators():
        for name, hint in typing.get_type_hints(cls.__init__).items():
            if options_of(hint):
                found.append((cls, name))
    return found


def test_all_estimators_are_fitted_here():
    assert {cls.__name__ for cls in estimators()} == set(FITS)


@pytest.mark.parametrize("name", FITS)
def test_parameters_and_learned_attributes_are_declared_in_the_class(name):
    model = fitted(name)
    cls, declared = type(model), set(annotated(type(model)))
    learned = {attribute for attribute in vars(model) if attribute not in parameters(cls)}
    missing = (parameters(cls) | learned) - declared
    assert not missing, f"declare {missing} in the body of {name}, as its other attributes are"
    public = {attribute for attribute in declared if not attribute.startswith("_")}
    gone = {attribute for attribute in public - parameters(cls) - learned if not hasattr(cls, attribute)}
    assert gone <= {"feature_names_in_"}, f"{name} does not learn {gone} any more"


@pytest.mark.parametrize("name", FITS)
def test_a_parameter_has_the_type_that_the_constructor_says(name):
    cls = getattr(gramian, name)
    of_constructor = typing.get_type_hints(cls.__init__)
    declared = annotated(cls)
    for parameter in parameters(cls):
        assert declared[parameter] == of_constructor[parameter], parameter


@pytest.mark.parametrize("name", FITS)
def test_nothing_declared_is_there_before_the_fit(name):
    model = getattr(gramian, name)()
    learned = {attribute for attribute in annotated(type(model)) if attribute.endswith("_")}
    assert learned
    assert not {attribute for attribute in learned if hasattr(model, attribute)}


def test_a_compressed_classifier_declares_its_parameters():
    small = compress(small_models.classifier(max_iter=2, kernel=small_models.K), 20)
    assert parameters(CompressedClassifier) <= set(annotated(CompressedClassifier))
    assert set(vars(small)) <= set(annotated(CompressedClassifier))


@pytest.mark.parametrize(("cls", "name"), options())
def test_the_options_of_a_type_are_those_that_are_taken(cls, name):
    listed = options_of(typing.get_type_hints(cls.__init__)[name])
    parameter = cls._table.get(name)
    if isinstance(parameter, OneOf):
        assert listed == {value for value in parameter.values if isinstance(value, str)}
    others = {other: value for other, value in READ_WITH.get(name, {}).items() if other in parameters(cls)}
    with pytest.raises((TypeError, ValueError)) as refusal:
        fitted(cls.__name__, **{name: NONSENSE}, **others)
    said = set(re.findall(r"'(\w+)'", str(refusal.value))) - {name, "dict"}
    assert listed == said, str(refusal.value)


def test_names_of_kernels_in_types_are_those_that_are_taken():
    assert set(typing.get_args(KernelName)) == set(kernel_classes())


def test_defaults_of_the_engine_are_options():
    for cls, name in options():
        default = inspect.signature(cls).parameters[name].default
        if isinstance(default, str):
            assert default in options_of(typing.get_type_hints(cls.__init__)[name])


@pytest.mark.parametrize("cls", estimators())
def test_a_fit_returns_the_class_of_the_estimator(cls):
    hints = typing.get_type_hints(cls.fit)
    assert isinstance(hints["return"], typing.TypeVar)
    assert hints["self"] is hints["return"]
    assert hints["return"].__bound__ == typing.ForwardRef(cls.__name__)


def test_a_fit_returns_the_estimator_itself():
    class Mine(gramian.KernelAutoencoder):
        """A user's class."""

    assert type(Mine().fit(np.eye(4))) is Mine


@pytest.mark.parametrize(
    ("X", "precision"),
    [
        (np.eye(3, dtype=np.float32), np.float32),
        (np.eye(3), np.float64),
        (np.eye(3, dtype=np.int32), np.float64),
        (np.eye(3, dtype=bool), np.float64),
        ([[0.0], [1.0], [2.0]], np.float64),
    ],
)
def test_results_have_the_precision_that_the_types_say(X, precision):
    kernel = small_models.K
    wide = np.ones((3, np.shape(X)[1]))
    assert gramian.gram(kernel, X).dtype == kernel(X).dtype == precision
    assert gramian.diagonal(kernel, X).dtype == kernel.diag(X).dtype == precision
    assert gramian.product(kernel, X, np.ones(3, precision)).dtype == precision
    assert gramian.gram(kernel, X, wide).dtype == gramian.product(kernel, X, np.ones(3), wide).dtype == np.float64
