# SPDX-License-Identifier: BSD-3-Clause
"""Deep kernel machines on a compiled engine, in the shape of scikit-learn."""

from typing import TYPE_CHECKING, Any

from gramian import exceptions as exceptions

try:
    from gramian._core import __version__
except ImportError as error:
    raise ImportError(
        f"The compiled part of gramian, gramian._core, could not be loaded: {error}\n"
        "In a checkout, build and install it with `pip install .`, and start Python in a folder where the name gramian "
        "does not lead to the sources. After an upgrade of Python, install gramian again: the compiled part "
        "belongs to one version of Python."
    ) from error

from gramian import kernels as kernels
from gramian import losses as losses
from gramian import optim as optim
from gramian._info import show_versions
from gramian._paths import get_cmake_dir, get_include, get_library
from gramian._settings import release_memory, set_memory_limit, set_num_threads
from gramian.exceptions import NumericalError
from gramian.functional import Adjoint, adjoint, diagonal, gram, hessian_vector, product
from gramian.points import InnerProducts, RowSource

if TYPE_CHECKING:
    from gramian import features as features
    from gramian import layers as layers
    from gramian import linalg as linalg
    from gramian import metrics as metrics
    from gramian import models as models
    from gramian import operators as operators
    from gramian import plots as plots
    from gramian.landmarks import landmark_rows
    from gramian.low_rank import LowRank, incomplete_cholesky
    from gramian.models import (
        ConditionalMeanEmbedding,
        DeepKernelClassifier,
        DeepKernelInterpolator,
        DeepKernelPCA,
        DeepKernelRegressor,
        DependencyRegressor,
        EmbeddingClassifier,
        K2Autoencoder,
        KernelAutoencoder,
        KernelRidge,
        OperatorKernelRidge,
        ParametricDeepKernelPCA,
        Predictor,
        load,
    )
    from gramian.normal import NormalSum, normal_product, normal_system
    from gramian.plots import (
        CodesDisplay,
        ConditionalDensityDisplay,
        DecisionProbabilityDisplay,
        ExplainedVarianceDisplay,
        GramDisplay,
        LevelTopologyDisplay,
        PITDisplay,
        ReconstructionDisplay,
        RelevanceDisplay,
        SpectrumDisplay,
        TrainingCurveDisplay,
        TraversalDisplay,
    )
    from gramian.row_source import rows

__all__ = [
    "Adjoint",
    "CodesDisplay",
    "ConditionalDensityDisplay",
    "ConditionalMeanEmbedding",
    "DecisionProbabilityDisplay",
    "DeepKernelClassifier",
    "DeepKernelInterpolator",
    "DeepKernelPCA",
    "DeepKernelRegressor",
    "DependencyRegressor",
    "EmbeddingClassifier",
    "ExplainedVarianceDisplay",
    "GramDisplay",
    "InnerProducts",
    "K2Autoencoder",
    "KernelAutoencoder",
    "KernelRidge",
    "LevelTopologyDisplay",
    "LowRank",
    "NormalSum",
    "NumericalError",
    "OperatorKernelRidge",
    "PITDisplay",
    "ParametricDeepKernelPCA",
    "Predictor",
    "ReconstructionDisplay",
    "RelevanceDisplay",
    "RowSource",
    "SpectrumDisplay",
    "TrainingCurveDisplay",
    "TraversalDisplay",
    "__version__",
    "adjoint",
    "diagonal",
    "exceptions",
    "features",
    "get_cmake_dir",
    "get_include",
    "get_library",
    "gram",
    "hessian_vector",
    "incomplete_cholesky",
    "kernels",
    "landmark_rows",
    "layers",
    "linalg",
    "load",
    "losses",
    "metrics",
    "models",
    "normal_product",
    "normal_system",
    "operators",
    "optim",
    "plots",
    "product",
    "release_memory",
    "rows",
    "set_memory_limit",
    "set_num_threads",
    "show_versions",
]


_LAZY_FUNCTIONS = {
    "LowRank": "low_rank",
    "NormalSum": "normal",
    "incomplete_cholesky": "low_rank",
    "landmark_rows": "landmarks",
    "normal_product": "normal",
    "normal_system": "normal",
    "rows": "row_source",
}
_LAZY_MODULES = ("features", "layers", "linalg", "metrics", "models", "operators", "plots")


def __getattr__(name: str) -> Any:
    # Estimators import scikit-learn, which takes longer than many a computation here.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    if name in _LAZY_MODULES:
        return importlib.import_module(f"gramian.{name}")
    if name in _LAZY_FUNCTIONS:
        return getattr(importlib.import_module(f"gramian.{_LAZY_FUNCTIONS[name]}"), name)
    home = "plots" if name.endswith("Display") else "models"
    return getattr(importlib.import_module(f"gramian.{home}"), name)


def __dir__() -> list[str]:
    return list(__all__)
