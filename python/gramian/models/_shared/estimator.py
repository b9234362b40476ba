# SPDX-License-Identifier: BSD-3-Clause
"""What all estimators do alike: they keep their parameters, check them, check X, and learn all at once."""

import os
import weakref
from abc import ABCMeta, abstractmethod
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian._parametrised import Parametrised, parameter_names
from gramian._random import seed_of
from gramian._scikit import BaseEstimator, CallbackSupportMixin
from gramian.kernels.choice import PRECOMPUTED, is_function
from gramian.models._shared.by_blocks import METHODS, by_blocks
from gramian.models._shared.compatibility import validate_data
from gramian.models._shared.landmarks import Switch, is_automatic
from gramian.models._shared.parameters import Table
from gramian.models._shared.samples import check_objects
from gramian.models._shared.unused import check_all_parameters
from gramian.models._shared.watch import Watch

EstimatorT = TypeVar("EstimatorT", bound="Estimator")

_OF_THE_INPUT = ("n_features_in_", "feature_names_in_")

_predictors: "weakref.WeakKeyDictionary[Any, Any]" = weakref.WeakKeyDictionary()
"""Of fitted estimators the values of the engine that predict. Here they are neither copied nor pickled."""


class Estimator(Parametrised, CallbackSupportMixin, BaseEstimator, metaclass=ABCMeta):
    """An estimator that holds arrays, numbers, strings and kernels, and calls the engine."""

    _table: ClassVar[Table] = {}
    """Its parameters that are checked one by one."""
    _input_kernel: ClassVar[str] = ""
    """Which of them may be, or begin with, "precomputed": X is a Gram matrix then, and may be sparse otherwise."""
    _any_targets: ClassVar[bool] = False
    """Whether y is needed, and may be anything."""
    _ridge: ClassVar[str] = ""
    """What it calls the weight of its squared norms: penalty beside a mean of losses, alpha beside a sum."""
    _switch: ClassVar[Switch | None] = None
    """Of those with landmarks="auto"."""
    _least_samples: ClassVar[int] = 2
    """How many `fit` takes."""

    _older: ClassVar[dict[str, Any]] = {}
    """Parameters and learned attributes that files of earlier versions do not have, with what they mean there."""
    _of_this_process: ClassVar[frozenset[str]] = frozenset()
    """Learned attributes that model files leave out: after loading they are False."""

    n_features_in_: int
    feature_names_in_: npt.NDArray[np.object_]
    _watch: Watch
    """Of the fit that is running; set and removed by `watched`."""

    def __init_subclass__(cls, **options: Any) -> None:
        """Let the methods of results take sources of rows, before scikit-learn wraps what they return."""
        for name in METHODS:
            method = vars(cls).get(name)
            if callable(method):
                setattr(cls, name, by_blocks(method))
        super().__init_subclass__(**options)

    @property
    def _owner(self) -> str:
        """What errors and warnings call it."""
        return type(self).__name__

    @property
    def _first_kernel(self) -> Any:
        """What was given as the kernel that sees X."""
        kernels = getattr(self, self._input_kernel, None)
        return kernels[0] if isinstance(kernels, list | tuple) and len(kernels) else kernels

    @property
    def _precomputed(self) -> bool:
        """Whether X is a Gram matrix."""
        kernel = self._first_kernel
        return isinstance(kernel, str) and kernel == PRECOMPUTED

    @property
    def _has_function(self) -> bool:
        """Whether X is whatever a kernel that is a function compares."""
        return is_function(self._first_kernel)

    @property
    def _takes_sparse(self) -> bool:
        return bool(self._input_kernel) and not self._precomputed and not self._has_function

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._precomputed
        tags.input_tags.sparse = self._takes_sparse
        tags.target_tags.required |= self._any_targets
        tags.target_tags.multi_output |= self._any_targets
        return tags

    def _more_tags(self) -> dict[str, Any]:  # the same before scikit-learn 1.6
        targets = {"requires_y": True, "multioutput": True} if self._any_targets else {}
        return {"pairwise": self._precomputed, "X_types": ["2darray"] + ["sparse"] * self._takes_sparse, **targets}

    def _advice_on_memory(self, what: str, advice: str) -> str:
        """Return what a user can do if `fit` needs more memory than there is; what, advice: the engine's words."""
        if "landmarks" not in parameter_names(type(self)):
            return "use fewer samples"
        fewer = "" if vars(self)["landmarks"] is None else "fewer "
        return f"use {fewer}landmarks, or fewer samples"

    def _checked(self, name: str) -> Any:
        """Return a parameter as the engine takes it."""
        return self._table[name].check(getattr(self, name), name, self._owner)

    def _options(self) -> dict[str, Any]:
        """Return the engine's options, by its own names, that are a parameter each."""
        return {
            parameter.engine: self._checked(name)
            for name, parameter in self._table.items()
            if parameter.engine and not (parameter.optional and getattr(self, name) is None)
        }

    def _planned_iterations(self) -> Any:
        """Return how many iterations a start may have at most; None if nobody knows."""
        return getattr(self, "max_iter", 0)

    def _draws(self) -> bool:
        """Tell whether a fit may need random numbers."""
        return True

    def _seed(self, watch: Watch | None = None, draws: bool = False) -> int:
        """
        Return the seed of a fit.

        watch: that of another estimator, of whose fit this one's is a part; draws: whether data ask for random numbers.
        """
        return (watch or self._watch).settled(seed_of(vars(self)["random_state"], draws or self._draws()))

    def _asked_landmarks(self, n: int) -> Any:
        """Return the landmarks that n samples are given: those of the parameter, a number of them, or None for all."""
        given = getattr(self, "landmarks", None)
        if self._switch is None or not is_automatic(given):
            return given
        return self._switch.landmarks_of(n) if self._takes_landmarks() else None

    def _takes_landmarks(self) -> bool:
        """Tell whether the other parameters leave room for landmarks."""
        return True

    def __setattr__(self, name: str, value: Any) -> None:
        _predictors.pop(self, None)
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        _predictors.pop(self, None)
        super().__delattr__(name)

    def set_params(self: EstimatorT, **params: Any) -> EstimatorT:
        _predictors.pop(self, None)
        return super().set_params(**params)

    def _require_fitted(self) -> None:
        """Raise NotFittedError before a fit; what predicts already is fitted, and need not be looked through again."""
        if self not in _predictors:
            check_is_fitted(self)

    @property
    def _predictor(self) -> Any:
        """The engine's value that predicts what the attributes say; it is made once, until an attribute is set."""
        made = _predictors.get(self)
        if made is None:
            if hasattr(self, "fit"):  # some are made fitted
                check_is_fitted(self)
            made = _predictors[self] = self._compile()
        return made

    @abstractmethod
    def _compile(self) -> Any:
        """Return the engine's value of the fitted estimator; the engine checks that its parts fit together."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """
        Write the fitted estimator to a file that `gramian.load`, and programs in C++ and C, can read.

        The file holds what is learned and the parameters, and no code. Whatever happens, the path leads to the old file
        or to the new one.

        Parameters
        ----------
        path : str or path-like
            The file; one that is there is replaced.

        Raises
        ------
        NotFittedError
            If there is nothing to save.
        TypeError
            If a part can't be stored, as a kernel that is a Python function; the message names it, and nothing is
            written.
        OSError
            If the file can't be written; an old one stays as it was.
        """
        from gramian.models._shared.stored.files import save  # estimators need not import what writes files

        save(self, path)

    def _stored_estimator(self, encoder: Any, path: str) -> Any:
        """Return what is learned, and the parameters, as JSON with arrays that the encoder keeps."""
        from gramian.models._shared.stored.estimators import encode_estimator

        return encode_estimator(self, encoder, path)

    def _probe(self: EstimatorT) -> EstimatorT:
        """
        Return an estimator that may learn names and numbers of features while this one is not yet fitted.

        Every fit begins so: parameters that it would not use are checked here.
        """
        check_all_parameters(self, self._owner)
        return type(self)(**{name: getattr(self, name) for name in parameter_names(type(self))})

    def _become(self: EstimatorT, probe: Any, learned: dict[str, Any]) -> EstimatorT:
        """Have all that was learned at once, and the features that `probe` has seen; return the estimator itself."""
        for name in _OF_THE_INPUT:
            self.__dict__.pop(name, None)
            if hasattr(probe, name):
                setattr(self, name, getattr(probe, name))
        self.__dict__.update(learned)
        _predictors.pop(self, None)
        return self

    def _training_samples_of(self, probe: Any, X: Any, **checks: Any) -> Any:
        """Return X as `fit` takes it, in float64; the probe learns its features."""
        return self._check_samples(probe, X, ensure_min_samples=self._least_samples, **checks)

    def _new_samples(self, X: Any) -> Any:
        """Return X as the fitted estimator takes it, in float64."""
        self._require_fitted()
        return self._check_samples(self, X, reset=False)

    def _check_samples(self, learner: Any, X: Any, **checks: Any) -> Any:
        if self._has_function:
            return check_objects(X, "X", checks.get("ensure_min_samples", 1))
        checks = {"accept_sparse": "csr" if self._takes_sparse else False, **checks}
        return validate_data(learner, X, dtype=np.float64, order="C", **checks)
