# SPDX-License-Identifier: BSD-3-Clause
"""From the parameters of a deep kernel PCA to one call of the engine."""

import copy
import math
import numbers
from typing import Any, NamedTuple, cast, get_args

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._validation import FLOAT64, LARGEST, FloatArray, check_whole, refused
from gramian._warning import warn
from gramian.kernels import Kernel, Linear
from gramian.kernels.choice import OPEN_GAUSSIAN, PRECOMPUTED, KernelChoice, OpenKernel, choose_kernel, is_function
from gramian.landmarks import Method, chosen_rows, random_rows
from gramian.models._shared.landmarks import CHOICES, given_rows
from gramian.models._shared.layers import for_each
from gramian.models._shared.parameters import OneOf, Real, Table, Whole
from gramian.models._shared.progress import End, tell_of_end
from gramian.models._shared.samples import SideKernel, check_gram
from gramian.models._shared.watch import Watch
from gramian.points import InnerProducts, check_points

LEVELS = _core.deep_pca.LevelDefaults()
COMPONENTS = tuple(LEVELS.components)

LevelKernel = SideKernel
"""One of gramian.kernels; for the first level also "precomputed", or a function."""


PARAMETERS: Table = {
    "solver": OneOf(tuple(_core.deep_pca.solver_names()), engine="solver"),
    "init": OneOf(tuple(_core.deep_pca.Start.__members__), engine="start"),
    "n_init": Whole(engine="starts"),
    "eigenvalues": OneOf(tuple(_core.deep_pca.Eigenvalues.__members__), engine="eigenvalues"),
    "center": OneOf((True, False), engine="centred"),
    "max_iter": Whole(engine="max_iterations"),
    "tol": Real(engine="gradient_tolerance", zero=True),
    "learning_rate": Real(engine="step"),
    "memory_budget": Whole(engine="memory_budget", optional=True),
    "landmarks": Whole(),
    "landmark_method": OneOf(get_args(Method)),
    "extension": OneOf(tuple(_core.deep_pca.Extension.__members__)),
    "inverse": OneOf(tuple(_core.deep_pca.Inverse.__members__)),
    "inverse_alpha": Real(),
}
"""The parameters of a deep kernel PCA."""


class Level(NamedTuple):
    """A level before it is trained; the width of its kernel may be still to be chosen."""

    kernel: KernelChoice
    components: int
    eta: float


def check_components(n_components: Any, owner: str) -> list[int]:
    """Return the number of components of each level."""
    sizes = list(n_components) if _is_sequence(n_components) else [_number(n_components)]
    if not sizes:
        raise ValueError(f"The 'n_components' parameter of {owner} must have an entry for at least one level.")
    return [check_whole(size, f"n_components[{i}]", owner, LARGEST) for i, size in enumerate(sizes)]


def _is_sequence(value: Any) -> bool:
    return isinstance(value, list | tuple | range) or (isinstance(value, np.ndarray) and value.ndim > 0)


def _number(value: Any) -> Any:
    """Return what an array without dimensions holds, and all else as it is."""
    return value.item() if isinstance(value, np.ndarray) and value.ndim == 0 else value


def check_levels(estimator: Any) -> list[Level]:
    """Return the levels, from the input side."""
    owner = type(estimator).__name__
    sizes = check_components(estimator.n_components, owner)
    kernels, etas = estimator.kernels, _number(estimator.eta)
    if (isinstance(kernels, str) and kernels == PRECOMPUTED) or is_function(kernels):
        kernels = [kernels, *[None] * (len(sizes) - 1)]
    each = for_each(kernels, "kernels", len(sizes), owner, not isinstance(kernels, list | tuple), "level")
    eta = for_each(etas, "eta", len(sizes), owner, np.isscalar(etas), "level")
    return [
        Level(_check_kernel(kernel, i, owner), size, _check_eta(value, f"eta[{i}]", owner))
        for i, (kernel, size, value) in enumerate(zip(each, sizes, eta, strict=True))
    ]


def _check_kernel(kernel: Any, index: int, owner: str) -> KernelChoice:
    if kernel is None:
        return OPEN_GAUSSIAN
    first, reason = (
        index == 0,
        "Only kernels[0] may be: kernels of upper levels need derivatives.",
    )
    chosen = choose_kernel(kernel, f"kernels[{index}]", owner, precomputed=first, functions=first, reason=reason)
    return copy.deepcopy(chosen) if isinstance(chosen, Kernel) else chosen


def _check_eta(value: Any, name: str, owner: str) -> float:
    message = (
        f"{name} of {owner} must be a finite number of either sign, not 0, of a magnitude in [1e-50, 1e50]. "
        f"Got {value!r} instead."
    )
    if not isinstance(value, numbers.Real) or isinstance(value, bool | np.bool_):
        raise TypeError(message)
    if not 1e-50 <= abs(float(value)) <= 1e50:
        raise ValueError(message)
    return float(value)


def with_kernels(levels: list[Level], samples: Any, weights: FloatArray | None, rows: float) -> list[Level]:
    """Return the levels with the widths that nobody has chosen; rows: how many are trained on, or their weight."""
    chosen = []
    for index, level in enumerate(levels):
        kernel = level.kernel
        if isinstance(kernel, OpenKernel):
            below = levels[index - 1].components
            kernel = kernel.on(samples, weights) if index == 0 else _upper_kernel(kernel, rows, below)
        chosen.append(level._replace(kernel=kernel))
    return chosen


def _upper_kernel(kernel: OpenKernel, rows: float, components: int) -> Kernel:
    """Return the kernel of a level that sees this many components of as many rows."""
    return kernel.with_gamma(_core.deep_pca.upper_gamma(rows, components), components)


def crossing(levels: list[Level], dimension: int) -> list[_core.deep_pca.Level]:
    """Return what the binding takes for levels; the first one sees this many features."""
    found = []
    for level in levels:
        on_points = isinstance(level.kernel, Kernel)
        kernel = cast(Kernel, level.kernel) if on_points else Linear()
        spec = kernel._lower(dimension if on_points else None).spec
        found.append(_core.deep_pca.Level(spec, level.components, level.eta))
        dimension = level.components
    return found


def check_training_gram(samples: Any) -> None:
    """Refuse what is no matrix of inner products."""
    diagonal = np.diagonal(check_gram(samples, "X"))
    worst = int(np.argmin(diagonal))
    if diagonal[worst] < 0:
        raise ValueError(f"X[{worst}, {worst}] is a squared norm and must be at least 0. Got {diagonal[worst]:.3g}.")


def training_points(kernel: LevelKernel, samples: Any) -> Any:
    """Return what the binding takes for training samples: points, or inner products with kernel linear."""
    if not isinstance(kernel, Kernel):
        return InnerProducts(samples).crossing(FLOAT64)
    return check_points(samples, "X").crossing(FLOAT64)


def choose_rows(
    estimator: Any, asked: Any, kernel: LevelKernel, samples: Any, seed: int, n: int
) -> npt.NDArray[np.int64] | None:
    """Return which of n rows are landmarks, ascending; None for all of them; asked: rows, or how many of them."""
    owner = type(estimator).__name__
    method = estimator._checked("landmark_method")
    if asked is None:
        return None
    if isinstance(asked, str):
        raise refused("landmarks", owner, CHOICES, asked)
    if np.ndim(asked):
        return given_rows(asked, n, owner)
    count = PARAMETERS["landmarks"].check(asked, "landmarks", owner)
    if count >= n:
        return None
    if isinstance(kernel, Kernel) and isinstance(samples, np.ndarray):
        return chosen_rows(kernel._lower(samples.shape[1]).spec, samples, n, count, method, seed)
    if method != "random":
        raise ValueError(
            f"The 'landmark_method' parameter of {owner} must be 'random' for precomputed or sparse data, and for rows "
            f"that are read: {method!r} looks at dense samples."
        )
    return random_rows(n, count, seed)


def engine_options(estimator: Any, seed: int, weights: FloatArray | None = None) -> _core.deep_pca.Options:
    """Return the engine's options, after checking the parameters."""
    values = estimator._options()
    return _core.deep_pca.Options(
        solver=_with_limits(_core.deep_pca.solver(values["solver"]), values),
        start=_core.deep_pca.Start[values["start"]],
        eigenvalues=_core.deep_pca.Eigenvalues[values["eigenvalues"]],
        seed=seed,
        weights=[] if weights is None else weights.tolist(),
        **{name: values[name] for name in ("starts", "centred", "memory_budget") if name in values},
    )


def _with_limits(solver: Any, values: dict[str, Any]) -> Any:
    """Return a solver that stops where the parameters say, as far as it has these options."""
    if isinstance(solver, _core.deep_pca.Automatic):
        return _core.deep_pca.Automatic(otherwise=_with_limits(solver.otherwise, values))
    fields = ("max_iterations", "gradient_tolerance", "value_tolerance", "step")
    limits = {name: values.get(name, getattr(solver, name)) for name in fields if hasattr(solver, name)}
    return type(solver)(**limits) if limits else solver


def learned_attributes(levels: list[Level], found: _core.deep_pca.Fit, watch: Watch) -> dict[str, Any]:
    """Return what is learned, by the names of the attributes."""
    state, summary = found.state, found.summary
    return {
        "kernels_": [level.kernel for level in levels],
        "eta_": np.array([level.eta for level in levels]),
        "hidden_features_": found.features,
        "eigenvalues_": [np.array(values) for values in summary.eigenvalues],
        "explained_variance_ratio_": [np.array(values) for values in found.explained_variance_ratio],
        "captured_trace_": np.array(found.captured_trace),
        "objective_": found.objective,
        "residuals_": np.array(state.residuals),
        "energy_": state.energy,
        "solver_": found.solver,
        "stop_reason_": watch.reason(found.stop_reason),
        "n_iter_": found.iterations,
        "history_": found.history,
        "init_objectives_": np.array([start.value for start in found.starts]),
        "init_captured_traces_": np.array([start.captured_trace for start in found.starts]),
        "coupled_": summary.coupled,
        "_centred": summary.centred,
        "_primal": state.primal,
        "_coefficients": found.coefficients,
        "_centre": found.centre,
        "_weights": None if found.weights is None else found.weights[:, 0],
        "_means": summary.means,
        "_offsets": summary.offsets,
        "_inputs": found.inputs,
    }


def tell(watch: Watch, found: _core.deep_pca.Fit, n_init: int) -> None:
    """Warn of a training that did not converge."""
    if found.stop_reason == "max_iterations" and found.solver == "riemannian_adam":
        return  # its steps are so many by design
    if found.solver == "closed_form":
        if not found.converged:
            warn(
                f"{watch.owner} did not find the eigenvectors of its closed form: J is {found.objective:.3g}, far "
                f"above rounding. Scale X, choose eta nearer to 1, or fewer components."
            )
        return
    advice = (
        f"J is {found.objective:.3g}. Raise max_iter or tol; with Gaussian kernels on upper levels a smaller gamma "
        f"helps."
    )
    end = End(watch.reason(found.stop_reason), found.iterations, found.history, len(found.starts))
    tell_of_end(watch, end, n_init, advice)


def tell_of_trap(estimator: Any, found: _core.deep_pca.Fit) -> None:
    """Warn of components that hold less than any would that are drawn at random."""
    if found.stop_reason == "observer" or (estimator.init == "kpca" and estimator.n_init == 1):
        return
    held, features = found.captured_trace[0], found.features[0]
    by_chance = features.shape[1] / features.shape[0]
    if held < 0.99 * by_chance:  # not by rounding
        warn(
            f"{type(estimator).__name__} ended at small eigenvalues, as random starts do: the first level holds "
            f"{held:.2g} of the trace of its Gram matrix, directions drawn at random would hold {by_chance:.2g}. A "
            f"small J says nothing about that: stay with init='kpca' and n_init=1."
        )


def tell_of_nothing(owner: str, found: _core.deep_pca.Fit) -> None:
    """Warn of levels without any variance."""
    empty = [level for level, held in enumerate(found.captured_trace, start=1) if not math.isfinite(held)]
    if empty:
        warn(
            f"{owner}: the Gram matrix of level {', '.join(map(str, empty))} is 0, or too large for its trace to be "
            f"finite. Its captured_trace_ is NaN, as there is nothing to be held."
        )


def tell_of_unsolved(extension: str, solved: npt.NDArray[Any], smoothed: npt.NDArray[Any]) -> None:
    """Warn of rows that are not what was asked for."""
    total, averaged = len(solved), int(np.count_nonzero(smoothed))
    left = total - averaged - int(np.count_nonzero(solved))
    if extension == "smoother":
        if averaged == total:
            return
        message = (
            f"{total - averaged} of {total} samples can't be smoothed, as values of the first kernel cancel: their "
            f"features are what comes closest to the equations of the training."
        )
    elif left + averaged == 0:
        return
    else:
        instead = "they are smoothed" if left == 0 else "they are what came closest"
        if left and averaged:
            instead = f"{averaged} of them are smoothed, the others are what came closest"
        message = (
            f"No solution of the equations was found for {left + averaged} of {total} samples: {instead}. Where J is "
            f"not small there may be none."
        )
    warn(message)
