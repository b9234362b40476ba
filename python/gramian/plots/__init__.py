# SPDX-License-Identifier: BSD-3-Clause
"""
Pictures of what was learned, as scikit-learn's displays: `from_estimator` computes and plots, into `ax` if it is given.

A display holds the numbers that it shows, and `plot` shows them again. Plots need matplotlib.
"""

from gramian.plots.codes import CodesDisplay, ReconstructionDisplay
from gramian.plots.decision import DecisionProbabilityDisplay
from gramian.plots.deep_pca import ExplainedVarianceDisplay, LevelTopologyDisplay, TraversalDisplay
from gramian.plots.distribution import ConditionalDensityDisplay, PITDisplay
from gramian.plots.matrices import GramDisplay, SpectrumDisplay
from gramian.plots.relevance import RelevanceDisplay
from gramian.plots.training import TrainingCurveDisplay

__all__ = [
    "CodesDisplay",
    "ConditionalDensityDisplay",
    "DecisionProbabilityDisplay",
    "ExplainedVarianceDisplay",
    "GramDisplay",
    "LevelTopologyDisplay",
    "PITDisplay",
    "ReconstructionDisplay",
    "RelevanceDisplay",
    "SpectrumDisplay",
    "TrainingCurveDisplay",
    "TraversalDisplay",
]


def __dir__() -> list[str]:
    return list(__all__)
