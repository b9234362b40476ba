# SPDX-License-Identifier: BSD-3-Clause
"""Learned classifiers made small, for inference."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian import _core
from gramian._memory import advising
from gramian._operands import Operands
from gramian._random import seed_of
from gramian._validation import FLOAT64, LARGEST_SIZE, AnyArray, FloatArray, check_choice, check_whole
from gramian.features import Features
from gramian.functional import product
from gramian.kernels import Kernel
from gramian.models._shared.compatibility import validate_data
from gramian.models.embedding.decision import DecidesByEmbedding, predictor, scores


class CompressedClassifier(DecidesByEmbedding):
    r"""
    What `compress` makes of a learned classifier: :math:`g(x) = \sum_j W_j k(s_j, x)`, or :math:`W^T \phi(x)`.

    It is its parameters, and ready to predict; there is nothing to fit.

    Parameters
    ----------
    kernel : Kernel, or None
        The learned kernel; None for a linear one on `features`.
    classes : ndarray of shape (m,)
        The labels, sorted.
    coefficients : ndarray of shape (s, m)
        W.
    supports : ndarray or sparse matrix of shape (s, d), or None
        The samples that are left; None if there are random or other features in their place.
    seed : int
        Of the random features, which are drawn again for each prediction.
    n_features_in : int
        The number of features of X.
    features : optional, one of gramian.features
        What the kernel sees of a sample, or all there is without one.
    theta : ndarray, or None
        Their learned parameters.
    inverse_temperature, uniform_share : float, or None
        How probabilities are made of g(x), as by the classifier itself; None: clipped and normalised, [MCE] (6).
    """

    kernel: Any
    classes: AnyArray
    coefficients: FloatArray
    supports: Any
    seed: int
    n_features_in: int
    features: Features | None
    theta: FloatArray | None
    inverse_temperature: float | None
    uniform_share: float | None

    def __init__(
        self,
        kernel: Any,
        classes: AnyArray,
        coefficients: FloatArray,
        supports: Any = None,
        seed: int = 0,
        n_features_in: int = 1,
        features: Features | None = None,
        theta: FloatArray | None = None,
        inverse_temperature: float | None = None,
        uniform_share: float | None = None,
    ) -> None:
        self._keep(locals())

    def __sklearn_is_fitted__(self) -> bool:
        return True

    @property
    def classes_(self) -> AnyArray:  # type: ignore[override]
        """The labels, sorted."""
        return np.asarray(self.classes)

    @property
    def n_features_in_(self) -> int:  # type: ignore[override]
        """The number of features of X."""
        return int(self.n_features_in)

    @property
    def inverse_temperature_(self) -> float | None:  # type: ignore[override]
        """b of the probabilities."""
        return self.inverse_temperature

    @property
    def uniform_share_(self) -> float | None:  # type: ignore[override]
        """u of the probabilities."""
        return self.uniform_share

    def embedding(self, X: Any) -> FloatArray:
        """
        Return g(x): estimates of all probabilities, which may leave [0, 1] and miss a sum of 1.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (q, d)
            New inputs. Sparse ones not with features.

        Returns
        -------
        ndarray of shape (q, m)
            Takes O(q s (d + m)) time.
        """
        sparse = "csr" if self.supports is not None and self.features is None else False
        samples = validate_data(self, X, dtype=np.float64, order="C", accept_sparse=sparse, reset=False)
        return scores(self._predictor, self.supports, samples)

    def _compile(self) -> Any:
        inputs, theta = self.n_features_in_, self.theta
        features = [] if self.features is None else [(self.features._lower(inputs), theta)]
        kernel = self.kernel
        if kernel is not None and self.supports is None:
            seen = inputs if self.features is None else self.features.sizes(inputs).outputs
            fourier = "random_fourier", kernel._lower(seen).spec, len(self.coefficients), self.seed
            features, kernel = [*features, (fourier, None)], None
        spec = None if kernel is None else kernel._lower(inputs if self.features is None else None).spec
        return predictor(spec, features, inputs, self.supports, self.coefficients, self.classes_, self._calibration)


def compress(classifier: Any, size: int, method: str = "herding", random_state: Any = None) -> CompressedClassifier:
    r"""
    Make a learned classifier small, so that predictions take time and memory of `size` samples, [MCE] Sec. 4.1.

    The new one minimises :math:`\sum_i w_i |f(x_i) - g(x_i)|^2 + N \lambda \|f - g\|^2` among all sums over what is
    left, as the ridge regression behind the classifier does. w are the weights that the samples had in `fit`, those of
    their classes included, and N is their sum. Takes O(n^2 d + n size^2) time.

    Parameters
    ----------
    classifier : fitted EmbeddingClassifier, or `gramian.ConditionalMeanEmbedding` of labels
        It is left as it is. Any other classifier will do whose decision function is a sum over samples, if it has
        ``kernel_``, one of gramian.kernels, ``X_fit_``, ``dual_coef_`` of shape (n, m), ``penalty_`` and ``classes_``.
        With features alone, or a linear kernel on few of them, the same function is returned, for a `size` of at least
        their number.
    size : int
        How many samples are left; or how many features there are, an even number.
    method : {"herding", "random_features"}, default="herding"
        Samples whose mean embedding in each class is close to that of all, [CWS]: for any kernel. Or random Fourier
        features: for Gaussian, Laplacian and Matérn kernels on dense data.
    random_state : int, numpy Generator, RandomState or None, default=None
        Of the random features.

    Returns
    -------
    CompressedClassifier
        With `predict`, `predict_proba`, `predict_log_proba`, `embedding`, `decision_function` and `score`.

    Raises
    ------
    TypeError, ValueError
        If the classifier is none that can be made small, or an argument is out of its range.

    Examples
    --------
    >>> import gramian
    >>> from sklearn.datasets import load_digits
    >>> X, y = load_digits(return_X_y=True)
    >>> model = gramian.ConditionalMeanEmbedding(None, gramian.kernels.Delta(), penalty=1e-5).fit(X[:900], y[:900])
    >>> small = gramian.models.compress(model, 200)
    >>> small.supports.shape, bool(small.score(X[900:], y[900:]) > 0.9)
    ((200, 64), True)
    """
    check_choice(method, "method", "compress", ("herding", "random_features"))
    check_is_fitted(classifier)
    own, theta = _features_of(classifier)
    if (own is not None and classifier.kernel_ is None) or getattr(classifier, "_in_coordinates", False):
        return _same_features(classifier, size)
    f = _expansion(classifier)
    size = check_whole(size, "size", "compress", len(f.V) if method == "herding" else LARGEST_SIZE)
    seen = f.X if own is None else own.transform(f.X, theta)
    operands = Operands(f.kernel, seen, None)
    spec, points, inputs = operands.spec, operands.points(FLOAT64)[0], int(f.X.shape[1])
    if method == "random_features":
        seed = seed_of(random_state)
        with advising("use a smaller size"):
            coefficients = _core.embedding.compress_to_features(spec, points, f.V, f.penalty, size, seed, f.weights)
        return _compressed(classifier, f.kernel, f.classes, coefficients, None, seed, inputs, own, theta)
    with advising("fit the classifier to fewer samples"):
        rows = _herded(f, seen, spec, points, size)
    with advising("use a smaller size"):
        coefficients = _core.embedding.compress_to_supports(spec, points, f.V, f.penalty, rows.tolist(), f.weights)
    return _compressed(classifier, f.kernel, f.classes, coefficients, f.X[rows], 0, inputs, own, theta)


def _compressed(classifier: Any, *parts: Any) -> CompressedClassifier:
    """Return the small one; g is close to f, and so are probabilities by the same temperature."""
    return CompressedClassifier(
        *parts, *(getattr(classifier, name, None) for name in ("inverse_temperature_", "uniform_share_"))
    )


def _herded(f: "_Expansion", seen: Any, spec: Any, points: Any, size: int) -> npt.NDArray[np.int64]:
    """Return rows that stand for all of their class."""
    # Rows of what was learned from are one class each: its number is 1 there, and 0 elsewhere.
    weights = np.ones(len(f.V)) if f.weights is None else f.weights
    targets = product(f.kernel, seen, f.V) + weights.sum() * f.penalty * f.V / weights[:, None]
    return _core.embedding.herd_supports(spec, points, targets.argmax(axis=1).tolist(), size, f.weights)


def _features_of(classifier: Any) -> tuple[Features | None, FloatArray | None]:
    """Return what was fitted, and its parameters."""
    own, theta = getattr(classifier, "_features", None), getattr(classifier, "theta_", None)
    if getattr(classifier, "features", None) is not None and not isinstance(own, Features):
        raise TypeError(f"{type(classifier).__name__} can't be compressed: its features are none that are known here.")
    return own, None if own is None else theta


class _Expansion(NamedTuple):
    """A sum over samples."""

    kernel: Kernel
    X: Any
    V: FloatArray
    penalty: float
    classes: npt.NDArray[Any]
    weights: FloatArray | None


def _expansion(classifier: Any) -> _Expansion:
    classes, V = getattr(classifier, "classes_", None), getattr(classifier, "dual_coef_", None)
    if hasattr(classifier, "_classes_and_coefficients"):
        classes, V = classifier._classes_and_coefficients()
    kernel, X, penalty = (getattr(classifier, name, None) for name in ("kernel_", "X_fit_", "penalty_"))
    if classes is None or V is None or X is None or penalty is None or not isinstance(kernel, Kernel):
        raise TypeError(
            f"{type(classifier).__name__} can't be compressed: that takes a classifier whose decision function is a "
            f"sum over samples, with one of gramian.kernels."
        )
    weights = getattr(classifier, "_weights", None)
    return _Expansion(kernel, X, np.ascontiguousarray(V, dtype=np.float64), float(penalty), classes, weights)


def _same_features(classifier: Any, size: Any) -> CompressedClassifier:
    """Return the same function: it is a sum over features already, and holds nothing of the samples."""
    W = classifier.dual_coef_
    if check_whole(size, "size", "compress", LARGEST_SIZE) < len(W):
        raise ValueError(
            f"size is {size}, but {type(classifier).__name__} has {len(W)} features and a linear kernel: it is "
            f"{len(W)} x {W.shape[1]} numbers, however many samples it has seen, and has no smaller form. "
            f"Learn it with fewer features, or pass a size of at least {len(W)}."
        )
    inputs, supports = int(classifier.n_features_in_), classifier.X_fit_
    if supports is not None:
        return _compressed(
            classifier, classifier.kernel_, classifier.classes_, W.copy(), supports.copy(), 0, inputs, None, None
        )
    return _compressed(
        classifier, None, classifier.classes_, W.copy(), None, 0, inputs, classifier._features, classifier.theta_
    )
