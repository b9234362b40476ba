# SPDX-License-Identifier: BSD-3-Clause
"""
[MCE] Sec. 5, Fig. 2, top right: a convolutional network with an embedding on top, against the same one with a softmax.

Two convolutions with pooling, a layer with dropout, one start for both. Smaller than the paper's, so that a CPU does it
in twenty minutes: channels, units, batches and epochs.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.paper.common import mnist
from bench.paper.common.outcome import Outcome, Settings, Table
from bench.paper.mce.methods import embedding

DROPOUT, DEVIATION = 0.5, 0.1
EMBEDDINGS = {"embedding, lambda = 10": 10.0, "embedding, lambda = 0.01": 0.01}
"""Where lambda starts: in the paper, and nearer to where it ends."""
SOFTMAX = "softmax"


@dataclass(frozen=True)
class Scale:
    """What is learned from, and by what."""

    pictures: int = 60_000
    batch: int = 600
    epochs: int = 30
    channels: tuple[int, int] = (8, 16)
    units: int = 64
    rate: float = 0.01
    looks: int = 6
    """How often the test pictures are looked at: after the last step, half as many, a quarter, and so on."""

    @property
    def steps(self) -> int:
        """Batches."""
        return self.epochs * self.pictures // self.batch

    @property
    def marks(self) -> list[int]:
        """The steps after which the test pictures are looked at."""
        return [self.steps >> halves for halves in reversed(range(self.looks))]


QUICK = Scale(pictures=200, batch=50, epochs=1, channels=(2, 2), units=8, looks=1)


def run(settings: Settings) -> Outcome:
    """Accuracy on all test pictures against steps."""
    outcome = Outcome("mce_network")
    try:
        import torch
    except ModuleNotFoundError:
        outcome.sentences.append("PyTorch is not installed, so that there is no convolutional network.")
        outcome.tables.append(Table("not run", ["network"]))
        return outcome
    found, scale = mnist.pictures(settings, outcome), QUICK if settings.quick else Scale()
    torch.manual_seed(0)
    start = convolutions(found.shape, scale)
    X, y = found.draw(scale.pictures, seed=0)
    curves = {name: _embedding(start, X, y, found, scale, first) for name, first in EMBEDDINGS.items()}
    curves[SOFTMAX] = _softmax(start, X, y, found, scale)
    table = Table(f"{found.name}: accuracy in percent after steps", ["top", *map(str, scale.marks), "seconds"])
    for name, (reached, seconds) in curves.items():
        table.rows.append([name, *reached, seconds])
    outcome.tables.append(table)
    outcome.facts = scale.__dict__ | {"curves": curves}
    outcome.pictures.append(_picture(settings, scale.marks, curves))
    return outcome


def convolutions(shape: tuple[int, int], scale: Scale) -> Any:
    """The paper's tutorial network, narrower; weights and biases as in the paper."""
    import torch
    from torch import nn

    first, second = scale.channels
    sides = shape[0] // 4, shape[1] // 4
    module = nn.Sequential(
        nn.Unflatten(1, (1, *shape)),
        *(nn.Conv2d(1, first, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2)),
        *(nn.Conv2d(first, second, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2)),
        *(nn.Flatten(), nn.Linear(second * sides[0] * sides[1], scale.units), nn.ReLU(), nn.Dropout(DROPOUT)),
    )
    with torch.no_grad():
        for name, part in module.named_parameters():
            if name.endswith("bias"):
                part.fill_(DEVIATION)
            else:
                nn.init.trunc_normal_(part, std=DEVIATION, a=-2 * DEVIATION, b=2 * DEVIATION)
    return module


Curve = tuple[list[float], float]


def _embedding(start: Any, X: Any, y: Any, found: Any, scale: Scale, first: float) -> Curve:
    """Learned anew for each mark, from the one start with the same batches: so the curve is that of one course."""
    from gramian.features import TorchFeatures

    reached, seconds = [], 0.0
    for mark in scale.marks:
        features = TorchFeatures(start, dtype="float32")
        options = {"penalty": first, "batch_size": scale.batch, "learning_rate": scale.rate, "sensitivity": 1.0}
        model = embedding(mark, features=features, **options)
        begin = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(X, y)
        seconds = time.perf_counter() - begin
        reached.append(100 * _share(lambda part, model=model: model.predict(part), found))
    return reached, seconds


def _softmax(start: Any, X: Any, y: Any, found: Any, scale: Scale) -> Curve:
    """The same network with a softmax regression on top."""
    import copy

    import torch
    from torch import nn

    module = nn.Sequential(copy.deepcopy(start), nn.Linear(scale.units, 10)).float()
    nn.init.trunc_normal_(module[1].weight, std=DEVIATION, a=-2 * DEVIATION, b=2 * DEVIATION)
    nn.init.constant_(module[1].bias, DEVIATION)
    optimiser = torch.optim.Adam(module.parameters(), lr=scale.rate)
    inputs, labels = torch.from_numpy(X).float(), torch.from_numpy(np.asarray(y))
    draws = np.random.default_rng(0)

    def predict(part: Any) -> Any:
        module.eval()
        with torch.no_grad():
            return module(torch.from_numpy(part).float()).argmax(dim=1).numpy()

    reached, seconds = [], 0.0
    for step in range(1, scale.steps + 1):
        begin = time.perf_counter()
        rows = torch.from_numpy(draws.permutation(len(X))[: scale.batch])
        module.train()
        optimiser.zero_grad()
        nn.functional.cross_entropy(module(inputs[rows]), labels[rows]).backward()
        optimiser.step()
        seconds += time.perf_counter() - begin
        if step in scale.marks:
            reached.append(100 * _share(predict, found))
    return reached, seconds


def _share(predict: Callable[[Any], Any], found: Any, block: int = 1000) -> float:
    """Of the test pictures that are right."""
    starts = range(0, len(found.X_test), block)
    right = [(predict(found.X_test[at : at + block]) == found.y_test[at : at + block]).sum() for at in starts]
    return float(sum(right)) / len(found.X_test)


def _picture(settings: Settings, marks: list[int], curves: dict[str, Curve]) -> Any:
    from bench.paper.common import draw

    figure, axes = draw.panels(1, 1, width=4.8, height=3.4)
    for (name, (reached, _)), colour, marker in zip(curves.items(), draw.CLUSTERS, draw.MARKERS, strict=False):
        axes[0, 0].semilogx(marks, reached, color=colour, marker=marker, label=name)
    axes[0, 0].set(xlabel="steps", ylabel="accuracy, %")
    axes[0, 0].legend(fontsize=8)
    return draw.save(figure, settings.output / "mce_network.png")
