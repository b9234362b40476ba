# SPDX-License-Identifier: BSD-3-Clause
"""Deep kernel PCA on learned features, with a learned way back."""

from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from gramian import _core
from gramian._scikit import TransformerMixin
from gramian._validation import LARGEST_SIZE, FloatArray
from gramian.features import Features, Network
from gramian.kernels import Kernel
from gramian.models._shared.landmarks import is_automatic
from gramian.models._shared.parameters import Real, Whole
from gramian.models._shared.precision import PreservesFloat32, preserves_dtype
from gramian.models._shared.progress import End, tell_of_end
from gramian.models._shared.trained import TrainedEstimator
from gramian.models._shared.training import warm_start_of
from gramian.models._shared.types import Callback, CheckpointPath, RandomState
from gramian.models._shared.watch import Watch, watched
from gramian.models._shared.words import advised
from gramian.models.deep_pca.counted import counted
from gramian.models.deep_pca.estimator import DeepKernelPCA
from gramian.models.deep_pca.fit import crossing, tell, tell_of_nothing, tell_of_trap, with_kernels
from gramian.models.deep_pca.maps import Maps, check_maps
from gramian.models.deep_pca.outputs import LevelOutputs

_DEFAULTS, _MAPS = _core.deep_pca.MapOptions(), _core.deep_pca.MapDefaults()

ModelT = TypeVar("ModelT", bound="ParametricDeepKernelPCA")


class ParametricDeepKernelPCA(LevelOutputs, PreservesFloat32, TransformerMixin, TrainedEstimator):
    r"""
    Deep kernel PCA of learned features :math:`\varphi(x)`, with a learned map back :math:`\psi`.

    It minimises :math:`J + \gamma \sum_i \|x_i - \psi(\varphi(x_i))\|^2`, [DKPCA] (11), in turns: the features of all
    levels with fixed maps, then both maps by Adam with fixed features. The first level has a linear kernel on
    :math:`\varphi(x)`. A step takes O(n) passes through both maps.

    Parameters
    ----------
    feature_map, preimage_map : Features, optional
        :math:`\varphi` and :math:`\psi`: two `Network`, or two `TorchFeatures`. Networks with one hidden layer if None.
    pca : DeepKernelPCA, optional
        The levels. The first kernel must be None or linear, and they must be coupled, not levelwise, as it is J that
        the maps lower. Two linear levels of two components each if None.
    gamma : float, default=1.0
        The weight of reconstructions.
    n_rounds : int, default=10
        How many turns.
    max_iter : int, default=100
        Steps of Adam in each.
    learning_rate : float, default=1e-2
        Their length.
    callback : callable, optional
        Called after each step of Adam with a `gramian.optim.Iteration`. True ends the fit: the levels are solved for
        a last time. Iterations of the levels are seen by the callback of `pca`.
    verbose, max_time, checkpoint, checkpoint_every
        As in `KernelAutoencoder`, of the steps of Adam, and of the time of the whole fit.
    random_state : int, numpy Generator, RandomState or None, default=None
        Of the start of the maps.
    warm_start : bool, default=False
        Begin with the maps that the last fit has learned, which must have had the same layers.

    Attributes
    ----------
    pca_ : DeepKernelPCA
        Fitted to :math:`\varphi(X)`.
    theta_ : ndarray
        Parameters of both maps, one behind the other.
    objectives_, reconstruction_errors_ : ndarray of shape (n_rounds + 1,)
        The objective and the sum of squared errors, at the start and after each turn, when features are solved for.
    objective_ : float
        The objective at the end.
    n_iter_ : int
        Steps of Adam in all.
    stop_reason_ : str
        ``"max_iter"`` after all turns, ``"max_time"`` or ``"callback"``, as in `KernelAutoencoder`.
    history_ : dict of ndarray
        Of the steps of Adam in all turns, as in `KernelAutoencoder`. The objective falls between two turns, too, where
        the features are solved for.
    feature_map_, preimage_map_ : Features
        The maps that were used.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Examples
    --------
    >>> import gramian
    >>> from sklearn.datasets import load_iris
    >>> X = load_iris().data
    >>> model = gramian.ParametricDeepKernelPCA(n_rounds=2, max_iter=20).fit(X)
    >>> model.transform(X).shape, model.sample(3, random_state=0).shape
    ((150, 4), (3, 4))
    """

    _table = {
        "gamma": Real(zero=True),
        "n_rounds": Whole(largest=LARGEST_SIZE),
        "max_iter": Whole(engine="max_iterations", largest=LARGEST_SIZE),
        "learning_rate": Real(engine="step"),
    }

    feature_map: Features | None
    preimage_map: Features | None
    pca: DeepKernelPCA | None
    gamma: float
    n_rounds: int
    max_iter: int
    learning_rate: float
    random_state: RandomState
    warm_start: bool

    pca_: DeepKernelPCA
    theta_: FloatArray
    objectives_: FloatArray
    reconstruction_errors_: FloatArray
    feature_map_: Features
    preimage_map_: Features

    def __init__(
        self,
        feature_map: Features | None = None,
        preimage_map: Features | None = None,
        pca: DeepKernelPCA | None = None,
        *,
        gamma: float = _DEFAULTS.gamma,
        n_rounds: int = _DEFAULTS.rounds,
        max_iter: int = _DEFAULTS.maps.max_iterations,
        learning_rate: float = _DEFAULTS.maps.step,
        callback: Callback | None = None,
        verbose: int = 0,
        max_time: float | None = None,
        checkpoint: CheckpointPath = None,
        checkpoint_every: int | None = None,
        random_state: RandomState = None,
        warm_start: bool = False,
    ) -> None:
        self._keep(locals())

    @property
    def _n_features_out(self) -> int:
        return int(self.pca_._n_features_out)

    def _advice_on_memory(self, what: str, advice: str) -> str:
        return "use fewer samples" + (", or maps with fewer units" if what.startswith("a pass") else "")

    @watched
    @advised
    def fit(self: ModelT, X: Any, y: Any = None, sample_weight: Any = None) -> ModelT:
        """
        Learn both maps and the features of all levels.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Samples in rows.
        y : ignored
            There for pipelines.
        sample_weight : array-like of shape (n,), optional
            How often each sample is there, a number of at least 0, in the levels as in `DeepKernelPCA`, and in the sum
            of squared errors.

        Returns
        -------
        ParametricDeepKernelPCA
            The estimator itself.
        """
        owner = type(self).__name__
        probe, seed = self._probe(), self._seed()
        gamma, rounds, steps = self._checked("gamma"), self._checked("n_rounds"), self._options()
        samples = self._training_samples_of(probe, X)
        came = counted(sample_weight, len(samples))
        samples = came.of(samples)
        forward, back = _or_networks(self.feature_map, self.preimage_map, samples.shape[1])
        maps = check_maps(forward, back, samples.shape[1], owner)
        pca = _template(self.pca, owner)
        asked, options = pca._plan(pca._seed(self._watch), came.some(came.rows))
        turns = _core.deep_pca.MapOptions(
            gamma=gamma, rounds=rounds, maps=_core.optim.AdamOptions(**steps), levels=options
        )
        levels = with_kernels(asked, None, None, came.total(came.rows))
        pca._check_sizes(levels, len(samples))
        theta, spec = self._start(maps, seed), crossing(levels, maps.outputs)
        watch, of_levels = self._watch, Watch(pca, within=self._watch)
        found = _core.deep_pca.fit_maps(
            maps.forward, maps.whole, samples, theta.tolist(), spec, turns, watch.observer, of_levels.observer
        )
        watch.stopped_by = watch.stopped_by or of_levels.stopped_by
        reason = watch.reason(found.stop_reason)
        if reason == "max_time":
            tell_of_end(watch, End(reason, found.iterations, found.history))
        else:
            tell(of_levels, found.pca, pca.n_init)
        tell_of_trap(pca, found.pca)
        tell_of_nothing(pca._owner, found.pca)
        inner = pca._probe()
        pca._training_samples_of(inner, found.features)
        learned = {
            "pca_": pca._learn(inner, levels, found.features, found.pca, of_levels),
            "theta_": found.theta,
            "objectives_": found.objectives,
            "reconstruction_errors_": found.errors,
            "objective_": float(found.objectives[-1]),
            "n_iter_": found.iterations,
            "stop_reason_": reason,
            "history_": found.history,
            "feature_map_": forward,
            "preimage_map_": back,
        }
        return self._become(probe, learned)

    def _start(self, maps: Maps, seed: int) -> FloatArray:
        """Return the parameters of both maps where the fit begins."""
        theta = maps.start(seed % 2**64)
        if not self.warm_start or not hasattr(self, "theta_"):
            return theta
        return warm_start_of([self.theta_], [theta.shape], "parameters of both maps")

    def _planned_iterations(self) -> Any:
        return self.n_rounds * self.max_iter

    @preserves_dtype
    def transform(self, X: Any, level: int | None = None) -> FloatArray:
        """
        Return the features of samples.

        Parameters
        ----------
        X : array-like of shape (q, d)
            Samples in rows.
        level : int, optional
            As in `DeepKernelPCA`.

        Returns
        -------
        ndarray of shape (q, s_level), or (q, sum of all s_j)
        """
        self._check_output(level)
        return self._codes(X, level)

    def _codes(self, X: Any, level: int | None) -> FloatArray:
        samples = self._new_samples(X)
        return self.pca_._codes(self._predictor.features(samples), level)

    @preserves_dtype
    def inverse_transform(self, codes: npt.ArrayLike, level: int | None = None) -> FloatArray:
        r"""
        Return :math:`\psi(W_1 a)`: samples that features stand for, [DKPCA] (10).

        Parameters
        ----------
        codes, level
            As in `DeepKernelPCA`.

        Returns
        -------
        ndarray of shape (q, d)
        """
        self._require_fitted()
        start = self.pca_._check_level(level)
        return self._back(self.pca_._generate(self.pca_._check_codes(codes, start), start))

    def sample(self, n_samples: int = 1, level: int | None = None, random_state: Any = None) -> FloatArray:
        """
        Draw new samples.

        Parameters
        ----------
        n_samples, level, random_state
            As in `DeepKernelPCA`.

        Returns
        -------
        ndarray of shape (n_samples, d)
        """
        self._require_fitted()
        return self._back(self.pca_.sample(n_samples, level=level, random_state=random_state))

    def traverse(
        self, level: int, component: int, values: npt.ArrayLike | None = None, base: npt.ArrayLike | None = None
    ) -> FloatArray:
        """
        Return what changes with one component, while the others stay.

        Parameters
        ----------
        level, component, values, base
            As in `DeepKernelPCA`.

        Returns
        -------
        ndarray of shape (q, d)
        """
        self._require_fitted()
        return self._back(self.pca_.traverse(level, component, values, base=base))

    def _levels(self) -> Any:
        return self.pca_

    def _compile(self) -> _core.deep_pca.ParametricPredictor:
        return cast(_core.deep_pca.ParametricPredictor, self._maps().with_levels(self.theta_, self.pca_._predictor))

    def _maps(self) -> Any:
        return check_maps(self.feature_map_, self.preimage_map_, self.n_features_in_, type(self).__name__)

    def _back(self, features: FloatArray) -> FloatArray:
        return cast(FloatArray, self._predictor.back(np.ascontiguousarray(features)))


def _or_networks(forward: Any, back: Any, dimension: int) -> tuple[Features, Features]:
    if forward is None:
        features = max(_MAPS.least_features, min(_MAPS.most_features, dimension))
        forward = Network([(_MAPS.units, "tanh"), (features, "identity")], weight_deviation=0.0)
    if back is None:
        back = Network([(_MAPS.units, "tanh"), (dimension, "identity")], weight_deviation=0.0)
    return forward, back


def _template(pca: Any, owner: str) -> DeepKernelPCA:
    """Return the levels with a linear first kernel."""
    if pca is None:
        return DeepKernelPCA(tuple(_MAPS.components), "linear")
    if not isinstance(pca, DeepKernelPCA):
        raise TypeError(f"The 'pca' parameter of {owner} must be a DeepKernelPCA or None. Got {pca!r} instead.")
    kernels = pca.kernels
    depth = len(np.atleast_1d(np.asarray(pca.n_components, dtype=object)))
    each = list(kernels) if isinstance(kernels, list | tuple) else [kernels] + [kernels] * (depth - 1)
    linear = each[0]._traits.inner_product if isinstance(each[0], Kernel) else each[0] in (None, "linear")
    if not linear:
        raise ValueError(
            f"The 'pca' parameter of {owner} must have a linear kernel, or None, on its first level, which sees "
            f"learned features. Got {each[0]!r} instead."
        )
    if pca.checkpoint is not None:
        raise ValueError(f"The 'pca' parameter of {owner} must not have a checkpoint: set that of {owner}.")
    if pca.solver == "levelwise":
        raise ValueError(f"The 'pca' parameter of {owner} must have another solver than 'levelwise': maps lower J.")
    if pca.landmarks is not None and not is_automatic(pca.landmarks):
        raise ValueError(f"The 'pca' parameter of {owner} must have landmarks=None: its features are variables.")
    return cast(DeepKernelPCA, clone(pca).set_params(kernels=["linear", *each[1:]]))
