# SPDX-License-Identifier: BSD-3-Clause
"""One call of the engine's concatenated regression, and the choice of its penalties before."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.utils.parallel import Parallel, delayed

from gramian import _core
from gramian._validation import FloatArray, check_real, check_reals
from gramian._warning import warn
from gramian.exceptions import NumericalError
from gramian.models._shared.layers import LayerPlan
from gramian.models._shared.parameters import OneOf, Real, Table, Whole
from gramian.models._shared.search import search_results
from gramian.models._shared.training import limits_of, solver_options, value_tolerance
from gramian.models._shared.words import ridge_called
from gramian.models.deep_regression.plan import check_inner_alpha, check_theta, crossing
from gramian.models.deep_regression.samples import Samples, unevenness
from gramian.points import check_points

DEFAULTS, LIMITS, GRID = (
    _core.deep_regression.Options(),
    _core.deep_regression.limits(),
    _core.deep_regression.Grid(),
)
# Columns so much wider than others lead the search, and what is behind so many digits is lost in kernel values.
_UNEVEN = 100.0
_FAR_AWAY = 1e6
_ALMOST_NOTHING = 1e-8


class Problem(NamedTuple):
    """What is minimised, but for the penalties."""

    samples: Samples
    plans: list[LayerPlan]
    loss: Any
    theta: list[Any]
    options: dict[str, Any]

    @property
    def depth(self) -> int:
        """The number of layers."""
        return len(self.plans)

    def layers(self, alpha: float, inner_alpha: list[float]) -> list[Any]:
        """Return what the binding takes."""
        return crossing(self.plans, self.samples.X.shape[1], alpha, inner_alpha, self.theta)

    def engine_options(self) -> _core.deep_regression.Options:
        """Return the engine's options: made where they are used, as they can't be sent to other processes."""
        left, weights = dict(self.options), self.samples.weights
        solver = solver_options(left.pop("solver"), limits_of(left), left["seed"])
        parameters = _core.deep_regression.InnerParameters[left.pop("parameters")]
        landmarks, joint = left.pop("landmarks"), left.pop("joint", False)
        mode: Any = _core.deep_regression.Interpolation()
        if not left.pop("interpolate", False):
            given = [] if weights is None else weights.tolist()
            mode = _core.deep_regression.Regression(
                loss=self.loss, joint=joint, sample_weight=given, landmarks=landmarks
            )
        return _core.deep_regression.Options(mode=mode, solver=solver, parameters=parameters, **left)

    def image_losses(self) -> list[_core.deep_regression.ImageLoss]:
        """Return what the binding takes."""
        return [_core.deep_regression.ImageLoss(*image) for image in self.samples.images]


class Choice(NamedTuple):
    """Penalties, and the table they were chosen from."""

    alpha: float
    inner_alpha: list[float]
    table: dict[str, Any] | None = None


class Fold(NamedTuple):
    """Samples of which some are left out."""

    samples: Samples
    landmarks: list[int]
    test_rows: list[list[int]]

    def weights(self) -> list[float]:
        """Return the weight of each set of rows that is left out."""
        own = self.samples.weights
        return [float(len(rows) if own is None else own[rows].sum()) for rows in self.test_rows]


TRAINING: Table = {
    "distance_penalty": Real(engine="distance_penalty", zero=True),
    "inner_parameters": OneOf(tuple(_core.deep_regression.InnerParameters.__members__), engine="parameters"),
    "solver": OneOf(("lbfgs", "bfgs", "adam"), engine="solver"),
    "init": OneOf(("identity", "random")),
    "init_scale": Real(engine="init_scale"),
    "n_init": Whole(engine="restarts"),
    "refined_share": Real(engine="refined_share", zero=True, below=1),
    "max_iter": Whole(engine="max_iterations"),
    "tol": Real(engine="gradient_tolerance", zero=True),
    "learning_rate": Real(engine="step"),
    "memory_budget": Whole(engine="memory_budget", optional=True),
    "last_layer": OneOf(("auto", "joint")),
    "standardize": OneOf((True, False)),
    "cv": Whole(),
}
"""The parameters of concatenated functions."""


def check_options(estimator: Any, seed: int) -> dict[str, Any]:
    """Return the engine's options, after checking the kinds of the parameters."""
    options: dict[str, Any] = estimator._options()
    return {
        **options,
        "start_at_identity": estimator._checked("init") == "identity",
        "seed": seed,
        "value_tolerance": value_tolerance(options["gradient_tolerance"], LIMITS),
    }


def check_before(problem: Problem) -> None:
    """Raise what the engine would for its arguments and its memory: before a long choice, not behind it."""
    samples, layers = problem.samples, problem.layers(1.0, [1.0] * (problem.depth - 1))
    _core.deep_regression.check(
        _crossing(samples.X), samples.Y, layers, problem.engine_options(), problem.image_losses()
    )


def tell_of_scales(estimator: Any, problem: Problem) -> None:
    """Warn of columns that drown in others where the first layer's kernel sees what they measure."""
    X, kernels = problem.samples.X, [kernel for kernel, _ in problem.plans[0].terms]
    spread, size = unevenness(X)
    if problem.depth == 1 or (spread < _UNEVEN and size < _FAR_AWAY):
        return
    if all(np.ptp(diagonal) <= _ALMOST_NOTHING * np.abs(diagonal).max() for diagonal in (k.diag(X) for k in kernels)):
        return  # it sees distances alone
    warn(
        f"The kernel of the first layer of {type(estimator).__name__} sees X as it is, in which the spreads of columns "
        f"differ by a factor of {spread:.1g}, and the largest number is {size:.1g} times the narrowest spread: what "
        "depends on that column may not be found. Set standardize=True, or centre and scale X."
    )


def train(estimator: Any, problem: Problem, choice: Choice, start: FloatArray | None) -> _core.deep_regression.Fit:
    """Call the engine with decided penalties; start: where the last fit ended, or None."""
    samples = problem.samples
    layers = problem.layers(choice.alpha, choice.inner_alpha)
    images, watch = problem.image_losses(), estimator._watch.observer
    with ridge_called("alpha"):
        found = _core.deep_regression.fit(
            _crossing(samples.X), samples.Y, layers, problem.engine_options(), images, start, watch
        )
    if not all(np.isfinite(part).all() for part in found.coefficients):
        raise NumericalError("The coefficients have left the finite numbers: raise alpha, or lower learning_rate.")
    return found


def choose(estimator: Any, problem: Problem, folds: Any) -> Choice:
    """Return the penalties that were given, or else those of the smallest mean loss; folds: a function."""
    owner, depth = type(estimator).__name__, problem.depth
    theta = check_theta(estimator.theta, depth, owner)
    alphas = _grid(estimator.alpha, estimator.alphas, "alpha", GRID.last_penalties, theta[-1:], owner)
    several = isinstance(estimator.inner_alpha, list | tuple | np.ndarray) and np.ndim(estimator.inner_alpha) > 0
    listed = check_inner_alpha(estimator.inner_alpha, depth, owner) if several else []
    several = bool(listed)  # of one layer the list is empty
    if several:
        inner = np.array(listed)
    elif depth == 1:
        inner = np.ones(1)
    else:
        inner = _grid(
            estimator.inner_alpha, estimator.inner_alphas, "inner_alpha", GRID.inner_penalties, theta[:-1], owner
        )
    if len(alphas) == 1 and (len(inner) == 1 or several):
        return Choice(float(alphas[0]), inner.tolist() if several else inner.tolist() * (depth - 1))
    if several:
        raise ValueError(
            f"The 'inner_alpha' parameter of {owner} can't be a list while alpha is chosen by cross-validation: give "
            f"alpha too."
        )
    for name, weights in (("alpha", alphas), ("inner_alpha", inner)):
        if not weights.min() > 0:
            raise ValueError(
                f"The {name!r} parameter of {owner} must be greater than 0 while another weight is chosen by "
                f"cross-validation: give both alpha and inner_alpha to train with 0."
            )
    table = _table(estimator, problem, folds(), alphas, inner)
    scores = table["mean_test_score"]
    best = table["params"][int(np.flatnonzero(scores == scores.max())[-1])]  # ties are broken for the largest weights
    return Choice(best["alpha"], [best.get("inner_alpha", 1.0)] * (depth - 1), table)


def _table(estimator: Any, problem: Problem, folds: list[Fold], alphas: Any, inner: Any) -> dict[str, Any]:
    grid = (alphas.tolist(), inner.tolist())
    watch = estimator._watch
    jobs = [
        delayed(_fold_errors)(
            problem._replace(samples=fold.samples, options={**problem.options, "landmarks": fold.landmarks}),
            grid,
            fold.test_rows,
            watch.clock,
        )
        for fold in folds
    ]
    # Other processes can't write to the checkpoint of this one.
    n_jobs = estimator.n_jobs if watch.checkpoint is None else 1
    errors = np.concatenate(Parallel(n_jobs=n_jobs)(jobs))
    weights = [weight for fold in folds for weight in fold.weights()]
    axes = {"alpha": alphas} if problem.depth == 1 else {"alpha": alphas, "inner_alpha": inner}
    table = search_results(axes, errors.T, weights)
    if not np.isfinite(table["mean_test_score"]).any():
        raise NumericalError("No candidate can be fitted in all folds: try larger alphas and inner_alphas.")
    return table


def _fold_errors(problem: Problem, grid: Any, test_rows: Any, clock: Any) -> FloatArray:
    samples, layers = problem.samples, problem.layers(1.0, [1.0] * (problem.depth - 1))
    options, images = _core.deep_regression.options_of_a_choice(problem.engine_options()), problem.image_losses()
    tried = _core.deep_regression.Grid(last_penalties=grid[0], inner_penalties=grid[1], test_rows=test_rows)
    try:
        found = _core.deep_regression.validate(_crossing(samples.X), samples.Y, layers, options, images, tried, clock)
    except NumericalError:
        return np.full((len(test_rows), len(grid[0]) * len(grid[1])), np.inf)
    return found.fold_errors


def _crossing(X: Any) -> Any:
    """Return what the binding takes for samples."""
    return check_points(X, "X").crossing(np.dtype(np.float64))


def _grid(value: Any, grid: Any, name: str, default: Any, theta: list[Any], owner: str) -> npt.NDArray[np.float64]:
    """Return the penalties to try, ascending: a single one if it was given."""
    if value is not None:
        return np.array([check_real(value, name, owner, inclusive=True)])
    if any(form is not None for form in theta):
        raise ValueError(f"The {name!r} parameter of {owner} must be given where theta is not None.")
    if grid is None:
        return np.array(default)
    return np.unique(check_reals(grid, f"{name}s", owner))
