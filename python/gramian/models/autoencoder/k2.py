# SPDX-License-Identifier: BSD-3-Clause
"""Kernel autoencoders on anything that has a kernel."""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal, TypeVar, cast

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._validation import (
    FLOAT64,
    FloatArray,
    IntArray,
    Matrix,
    check_matrix,
    check_shape,
    check_vector,
    is_sparse,
)
from gramian.kernels import Kernel
from gramian.kernels.choice import decided_kernel, is_function
from gramian.models._shared.feature_space import (
    factorize,
    input_gram,
    new_squared_norms,
    tell_of_astray,
)
from gramian.models._shared.landmarks import Switch, is_automatic, is_count, merged_rows
from gramian.models._shared.layers import contiguous, require_positive, trained_layers
from gramian.models._shared.parameters import literal
from gramian.models._shared.precision import preserves_dtype
from gramian.models._shared.samples import check_kernel, count_of, crossing, has_points, rows_of
from gramian.models._shared.types import (
    Callback,
    CheckpointPath,
    ForEachLayer,
    Landmarks,
    LayerKernels,
    RandomState,
    SampleKernel,
)
from gramian.models._shared.watch import watched
from gramian.models._shared.weighted import Distinct, check_sample_weight, distinct, weighted_mean
from gramian.models._shared.words import advised
from gramian.models.autoencoder.base import BaseAutoencoder, embedding_of_all
from gramian.models.autoencoder.defaults import is_left_open
from gramian.models.autoencoder.fit import DEFAULTS, HIDDEN, INNER_STEPS, LIMITS, TRAINING
from gramian.models.autoencoder.spanned import require_inner, span
from gramian.models.autoencoder.types import Init, Solver
from gramian.points import InnerProducts, check_points

ModelT = TypeVar("ModelT", bound="K2Autoencoder")


class K2Autoencoder(BaseAutoencoder):
    r"""
    An autoencoder in the feature space of an input kernel: for graphs, strings, sets, and whatever else has one.

    It minimises :math:`\frac 1 n \sum_i \|\phi(x_i) - f_L \circ \cdots \circ f_1(\phi(x_i))\|^2
    + \sum_l \lambda_l \|f_l\|^2`, [KAE] (5). The last layer maps to the feature space itself: it is solved for in
    closed form, [KAE] Sec. 4.3. The Gram matrix is factorized once as :math:`K = C C^T`, by pivoted incomplete Cholesky
    down to 1e-12 of its trace; codes reconstruct the rows of C. An iteration takes O(n^3 / 3) time, and the model
    O(n^2) memory.

    Parameters
    ----------
    hidden : int or sequence of int, default=(2,)
        The sizes of the inner layers.
    input_kernel : Kernel, str or callable, default=None
        :math:`\langle \phi(x), \phi(y) \rangle`: an object, a name, or a function of two samples or two sets of them;
        X may be a list of anything for a function. None is ``"rbf"``, a Gaussian with gamma from the
        median of the squared distances between samples. With ``"precomputed"``, X is the Gram matrix of the training
        samples in `fit`, and that of new samples (rows) with the training samples (columns) elsewhere.
    kernels : Kernel, str or list, optional
        As in `KernelAutoencoder`. The first one sees inner products in the feature space alone: a Gaussian there is one
        of the distance :math:`\|\phi(x) - \phi(y)\|`. The last entry must be one kernel or None.
    penalty : "auto", float or list of float, default="auto"
        :math:`\lambda_l`, as in `KernelAutoencoder`. The last one is above 0, and carries a factor n in
        :math:`W = K + n \lambda I`.
    A : list, optional
        As in `KernelAutoencoder`; the last one must be None.
    solver : {"lbfgs", "adam", "gd", "alternating"}, default="lbfgs"
        Of the inner layers. ``"alternating"`` is [KAE] Alg. 1.
    landmarks : "auto", int, array-like of int or None, default="auto"
        Training samples whose images support all layers, or how many to draw as k-means++ does in the feature space;
        None is all of them. ``"auto"`` is None up to 2000 samples, if an exact fit has room in memory, and beyond that
        :math:`5 \sqrt n` rows, at most 200. Beyond 10000 rows layers are searched for on 10000 of them, and finished by
        10 iterations on all. With landmarks of more than 2000 vectors, reconstructions are in the span of the
        landmarks, and a fit takes O(n m) memory: no Gram matrix of all samples is formed. Landmarks that others
        represent up to rounding are left out then. ``"auto"`` takes all samples with a precomputed kernel, a function
        or an alternating solver.
    n_init, init, max_iter, tol, learning_rate, inner_steps, code_layer, callback
        As in `KernelAutoencoder`.
    verbose, max_time, checkpoint, checkpoint_every, random_state, warm_start, memory_budget
        As in `KernelAutoencoder`.

    Attributes
    ----------
    input_kernel_ : Kernel, "precomputed" or callable
        The input kernel, with what the median rule chose.
    X_fit_ : ndarray or sparse matrix of shape (n, d), or None
        The training samples, each once, in the order of X, and without those of weight 0; the landmarks where
        reconstructions are in their span; None for a precomputed Gram matrix.
    diagonal_ : ndarray of shape (n,)
        Their squared norms in the feature space.
    factor_ : ndarray of shape (n, r)
        C, the rows that codes reconstruct.
    reconstruction_ : ndarray of shape (n, n), or None
        Where reconstructions are in the span of landmarks, which are `X_fit_` then: kernel values of the last layer
        with its supports, times this, are the weights of the landmarks.
    supports_ : list
        What supports each layer: None for the first, which are samples; then their images.
    coefficients_, kernels_, operators_, penalties_, cv_results_, embedding_, code_layer_, landmarks_
        As in `KernelAutoencoder`.
    objective_, distortion_
        As in `KernelAutoencoder`.
    squared_norms_, stationarity_, history_, stop_reason_, n_iter_, init_objectives_, jitter_, last_layer_
        As in `KernelAutoencoder`.
    n_features_in_ : int
        The number of features of X; with a precomputed Gram matrix the number of training samples.
    feature_names_in_ : ndarray of shape (d,)
        Their names, if X had any.

    Examples
    --------
    >>> import gramian
    >>> from sklearn.feature_extraction.text import CountVectorizer
    >>> words = ["kernel", "kernels", "colonel", "graph", "graphs", "telegraph"]
    >>> counts = CountVectorizer(analyzer="char", ngram_range=(1, 3)).fit_transform(words).astype(float)
    >>> model = gramian.K2Autoencoder(hidden=(2,), input_kernel=gramian.kernels.Cosine(), penalty=1e-3).fit(counts)
    >>> [words[i] for i in model.nearest(model.transform(counts[:1]))]
    ['kernel']
    """

    _table = TRAINING
    _switch: ClassVar[Switch] = Switch(most_exact=2000, per_root=5, most=200, stored=9, searched=10_000)
    _input_kernel = "input_kernel"

    input_kernel: SampleKernel | None

    input_kernel_: Any
    X_fit_: Any
    diagonal_: FloatArray
    factor_: FloatArray
    reconstruction_: FloatArray | None
    _distinct: dict[str, Any]

    def __init__(
        self,
        hidden: int | Sequence[int] = HIDDEN,
        input_kernel: SampleKernel | None = None,
        kernels: LayerKernels = None,
        *,
        penalty: ForEachLayer | Literal["auto"] = "auto",
        A: Sequence[npt.ArrayLike | None] | None = None,
        solver: Solver = "lbfgs",
        landmarks: Landmarks = "auto",
        n_init: int = DEFAULTS.restarts,
        init: Init = literal(DEFAULTS.start.name),
        max_iter: int = LIMITS.max_iterations,
        tol: float = LIMITS.gradient_tolerance,
        learning_rate: float = LIMITS.step,
        inner_steps: int = INNER_STEPS,
        code_layer: int | None = None,
        callback: Callback | None = None,
        verbose: int = 0,
        max_time: float | None = None,
        checkpoint: CheckpointPath = None,
        checkpoint_every: int | None = None,
        random_state: RandomState = None,
        warm_start: bool = False,
        memory_budget: int | None = None,
    ) -> None:
        self._keep(locals())

    def _advice_on_memory(self, what: str, advice: str) -> str:
        if self._precomputed or self._has_function:
            return "use fewer samples"  # landmarks need the Gram matrix of all of them too
        return f"use {'landmarks' if self.landmarks is None else 'fewer landmarks'}, or fewer samples"

    @watched
    @advised
    def fit(self: ModelT, X: Any, y: Any = None, sample_weight: Any = None) -> ModelT:
        """
        Learn the layers.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, d), or Gram matrix of shape (n, n)
            Samples in rows, at least two.
        y : ignored
            There for pipelines.
        sample_weight : array-like of shape (n,), optional
            Weights of at least 0 in the mean of the losses. A weight of 2 is a sample that is there twice.

        Returns
        -------
        K2Autoencoder
            The estimator itself.

        Raises
        ------
        TypeError, ValueError
            If X or a parameter is of the wrong kind, shape or range; a Gram matrix that is not square, not symmetric or
            not positive semidefinite.
        gramian.NumericalError
            If the last layer's system can't be factorized.
        """
        owner, probe = type(self).__name__, self._probe()
        asked = check_kernel(self.input_kernel, "input_kernel", owner)
        if not is_left_open(self.penalty, owner):
            require_positive(self.penalty, owner)
        samples = self._training_samples_of(probe, X)
        kernel, came, K = self._merged(asked, samples, sample_weight)
        learned = self._on_gram(came, K) if K is not None else self._in_span(kernel, came, came.of(samples))
        learned["supports_"] = [None, *learned["supports_"]]
        del learned["multipliers_"]  # of bounded norms, which there are none of here
        kept: Distinct = learned.pop("kept")
        learned["input_kernel_"] = kernel
        learned["X_fit_"] = None if isinstance(kernel, str) else rows_of(samples, kept.rows)
        learned["_distinct"] = kept._asdict()
        codes = learned["embedding_"]
        learned["embedding_"] = codes[came.place]  # but of samples of weight 0, which have no place
        learned["embedding_"] = embedding_of_all(
            came, codes, lambda rows: self._probe()._become(probe, learned)._codes(rows_of(samples, rows))
        )
        return self._become(probe, learned)

    def _merged(self, asked: Any, samples: Any, sample_weight: Any) -> tuple[Any, Distinct, FloatArray | None]:
        """Return the input kernel, which samples are distinct, and the Gram matrix of these unless landmarks do."""
        count = count_of(samples)
        weights = check_sample_weight(sample_weight, np.empty((count, 1)))
        if self._precomputed or self._has_function:  # samples are equal where their rows of the Gram matrix are
            K = input_gram(asked, samples)
            if K.shape[0] != K.shape[1]:
                raise ValueError(f"X must be the square Gram matrix of the training samples. Got shape {K.shape}.")
            came = distinct(K, weights, gram=True)
            return asked, came, K if came.as_they_came else np.ascontiguousarray(K[np.ix_(came.rows, came.rows)])
        came = distinct(samples, weights)
        own = came.of(samples)
        kernel = decided_kernel(asked, own)
        n = len(came.rows)
        spanned = self._asked_landmarks(n) is not None and self._switch.landmarks_of(n) is not None
        return kernel, came, None if spanned else input_gram(kernel, own)

    def _on_gram(self, came: Distinct, K: FloatArray) -> dict[str, Any]:
        """Return what is learned from the Gram matrix of the distinct samples."""
        inner = InnerProducts(K).crossing(FLOAT64)
        asked = None if is_automatic(self.landmarks) else self.landmarks
        seed = self._seed(draws=is_count(asked))
        squares, C = np.diagonal(K).copy(), factorize(K)
        learned = self._train(
            inner, None, C, came, self._landmarks_among(came, inner, asked, seed), seed, "squared", {}
        )
        order = np.argsort(came.rows)
        more = {"diagonal_": squares[order], "factor_": C[order], "reconstruction_": None, "kept": came.moved(order)}
        return {**learned, **more}

    def _in_span(self, kernel: Kernel, came: Distinct, own: Any) -> dict[str, Any]:
        """Return what is learned in the span of landmarks, without a Gram matrix of all samples."""
        asked = self._asked_landmarks(len(came.rows))
        seed = self._seed(draws=is_count(asked))
        if not is_count(asked):
            asked = merged_rows(asked, came.place, self._owner)
        seen = span(kernel, own, came.rows, asked, seed)
        require_inner(self._plans(seen.targets.shape[1])[0])
        learned = self._train(seen.points, seen.points.shape[1], seen.targets, came, seen.rows, seed, "squared", {})
        left_out = seen.left_out(came.weights)
        for name in ("objective_", "distortion_", "init_objectives_"):
            learned[name] = learned[name] + left_out
        learned["history_"] = {**learned["history_"], "value": learned["history_"]["value"] + left_out}
        if learned["_generalization_terms"] is not None:
            learned["_generalization_terms"]["M"] = float(np.sqrt(seen.squares.max()))
        more = {
            "diagonal_": seen.squares[seen.order],
            "factor_": seen.factor,
            "reconstruction_": seen.reconstruction(learned["coefficients_"][-1]),
            "kept": came.only(seen.order),
        }
        return {**learned, **more}

    @preserves_dtype
    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> FloatArray:
        """Learn the layers and return the codes of X: ``fit(X, y, sample_weight).embedding_``."""
        return self.fit(X, y, sample_weight).embedding_

    @preserves_dtype
    def transform(self, X: Any, diag: npt.ArrayLike | None = None) -> FloatArray:
        """
        Return the codes of new samples.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (q, d), or (q, n) inner products with the training samples
            Samples in rows.
        diag : array-like of shape (q,), optional
            With a precomputed Gram matrix, the inner products of the new samples with themselves. Without it they are
            taken to be those of the training samples, if these are all the same.

        Returns
        -------
        ndarray of shape (q, p)
            The outputs of the code layer.
        """
        return self._codes(self._new_samples(X), diag)

    def reconstruction_weights(self, codes: npt.ArrayLike) -> FloatArray:
        r"""
        Return weights w with which codes are reconstructed as :math:`\sum_j w_j \phi(x_j)`, [KAE] App. B.7.

        Takes O(n^2) time for each code. The first call after `fit` takes O(n^3 / 3) time besides, for a factorization
        of n^2 numbers that is kept until an attribute is set.

        Parameters
        ----------
        codes : array-like of shape (q, p)
            Outputs of the code layer.

        Returns
        -------
        ndarray of shape (q, n)
            A weight for each training sample.
        """
        return self._came.spread(self._predictor.weights(self._check_codes(codes)))

    def reconstruction_error(self, X: Any, diag: npt.ArrayLike | None = None) -> FloatArray:
        r"""
        Return :math:`\|\phi(x) - f_L \circ \cdots \circ f_1(\phi(x))\|^2` of each sample, [KAE] App. B.7.

        Parameters
        ----------
        X, diag
            As in `transform`.

        Returns
        -------
        ndarray of shape (q,)
        """
        return cast(FloatArray, self._predictor.reconstruction_errors(self._given(self._new_samples(X), diag))[:, 0])

    def score(self, X: Any, y: Any = None, diag: npt.ArrayLike | None = None, sample_weight: Any = None) -> float:
        """
        Return minus the mean of `reconstruction_error`: higher is better.

        Parameters
        ----------
        X, diag
            As in `transform`.
        y : ignored
            There for pipelines.
        sample_weight : array-like of shape (q,), optional
            Weights of the mean, of at least 0.

        Returns
        -------
        float
        """
        return -weighted_mean(self.reconstruction_error(X, diag), sample_weight)

    def nearest(
        self, codes: npt.ArrayLike, candidates: Any = None, diag: npt.ArrayLike | None = None
    ) -> npt.NDArray[np.intp]:
        """
        Return, for each code, the candidate that is nearest to its reconstruction in the feature space.

        Parameters
        ----------
        codes : array-like of shape (q, p)
            Outputs of the code layer.
        candidates : samples as in `transform`, optional
            The training samples if None.
        diag : array-like, optional
            That of candidates, as in `transform`.

        Returns
        -------
        ndarray of shape (q,)
            Rows of candidates, or of the training samples.
        """
        matrix = self._check_codes(codes)
        if candidates is None:
            return cast(npt.NDArray[np.intp], self._came.rows[self._predictor.nearest(matrix, None)])
        found: npt.NDArray[np.intp] = self._predictor.nearest(matrix, self._given(self._new_samples(candidates), diag))
        return found

    @preserves_dtype
    def inverse_transform(self, codes: npt.ArrayLike) -> Any:
        """
        Return samples whose images in the feature space are close to what codes stand for.

        With a linear input kernel it is the reconstruction itself; with a Gaussian one on dense vectors a fixed point
        of the pre-image iteration, started at the nearest training sample; with any other the nearest training sample.

        Parameters
        ----------
        codes : array-like of shape (q, p)
            Outputs of the code layer.

        Returns
        -------
        ndarray or sparse matrix of shape (q, d)

        Raises
        ------
        ValueError
            With a precomputed Gram matrix, where there are no samples: see `nearest`.
        """
        matrix = self._check_codes(codes)
        if self.X_fit_ is None:
            raise ValueError("With input_kernel='precomputed' there are no samples to return: use nearest(codes).")
        kernel, sparse = self.input_kernel_, is_sparse(self.X_fit_)
        if is_function(kernel) or (sparse and not kernel._traits.inner_product):
            return rows_of(self.X_fit_, self._predictor.nearest(matrix, None))
        found = self._predictor.reconstruct(matrix)
        tell_of_astray(found.astray, len(matrix), "their codes may stand for nothing near the data")
        return found.points

    @property
    def _came(self) -> Distinct:
        """Which of the training samples are distinct, and what all of them have become."""
        return Distinct(**self._distinct)

    @property
    def _landmarks(self) -> IntArray | None:
        """Which of the distinct samples support the layers."""
        return None if self.landmarks_ is None else self._came.place[self.landmarks_]

    def _codes(self, samples: Any, diag: npt.ArrayLike | None = None) -> FloatArray:
        if has_points(self.input_kernel_):
            return cast(FloatArray, self._predictor.apply(_core.serving.Verb.transform, self._given(samples, diag)))
        return cast(FloatArray, self._predictor.encode(*self._values(samples, diag, self._landmarks)))

    def _given(self, samples: Any, diag: npt.ArrayLike | None) -> Any:
        """Return what the engine's value takes for samples: points, or kernel values with all training samples."""
        if not has_points(self.input_kernel_):
            return self._values(samples, diag, None)
        if diag is not None:
            raise ValueError("diag is for input_kernel='precomputed' alone.")
        return crossing(samples)

    def _values(self, samples: Any, diag: npt.ArrayLike | None, rows: Any) -> tuple[FloatArray, FloatArray]:
        """Return kernel values of samples with training samples, or with some rows of these, and with themselves."""
        squares = new_squared_norms(self.input_kernel_, samples, diag, self.diagonal_)
        cross = self._cross(samples, rows)
        checked = InnerProducts(cross, squares, self.diagonal_ if rows is None else self.diagonal_[rows])
        return checked.K.astype(FLOAT64, copy=False), squares[:, None]

    def _cross(self, samples: Any, rows: Any) -> FloatArray:
        if isinstance(self.input_kernel_, str):
            own = samples if self._came.whole else samples[:, self._came.rows]
            return cast(FloatArray, own if rows is None else own[:, rows])
        return input_gram(self.input_kernel_, samples, self.X_fit_ if rows is None else rows_of(self.X_fit_, rows))

    def _compile(self) -> _core.autoencoder.FeatureSpacePredictor:
        came, kernel, points = self._came, self.input_kernel_, has_points(self.input_kernel_)
        n, reconstruction = len(came.rows), getattr(self, "reconstruction_", None)  # older files have none
        spanned = reconstruction is not None or self.landmarks_ is None
        landmarks = [] if spanned else _places(came, self.landmarks_)
        supports = [len(landmarks) or n, *self.supports_[1:]]
        layers = trained_layers(self.kernels_, self.operators_, self.coefficients_, supports, self.penalties_)
        return _core.autoencoder.FeatureSpacePredictor(
            kernel._lower(int(self.n_features_in_)).spec if points else None,
            check_points(self.X_fit_, "X_fit_").crossing(FLOAT64) if points else n,
            check_vector(self.diagonal_, "diagonal_", n, "the training samples").tolist(),
            contiguous(check_matrix(self.factor_, "factor_")),
            landmarks,
            layers,
            contiguous(_rows(check_matrix(self.embedding_, "embedding_"), came)),
            int(self.code_layer_),
            [] if came.weights is None else came.weights.tolist(),
            None if reconstruction is None else contiguous(check_matrix(reconstruction, "reconstruction_")),
        )


def _places(came: Distinct, landmarks: Any) -> list[int]:
    """Return which of the distinct samples are landmarks."""
    rows = np.asarray(landmarks)
    if rows.ndim != 1 or rows.dtype.kind not in "iu" or not ((rows >= 0) & (rows < len(came.place))).all():
        raise ValueError(f"landmarks_ must be rows of the {len(came.place)} training samples. Got {landmarks!r}.")
    return cast(list[int], came.place[rows].tolist())


def _rows(codes: Matrix, came: Distinct) -> Matrix:
    """Return the codes of the distinct samples."""
    check_shape(codes, "embedding_", (len(came.place), codes.shape[1]))
    return codes[came.rows]
