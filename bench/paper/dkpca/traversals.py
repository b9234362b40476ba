# SPDX-License-Identifier: BSD-3-Clause
"""
[DKPCA] Sec. 5.1, Fig. 5 and Fig. 6: what changes with one component of a level, and where pictures are in its plane.

Pictures with few factors, as the paper fixes others too: triangles, four objects of COIL-20, four digits. PCA, kernel
PCA, deep kernel PCA with kernels and pre-images, the same with learned maps, and the three autoencoders.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gramian
import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import PCA

from bench.paper.common import data, mnist
from bench.paper.common.outcome import Outcome, Settings, Table
from bench.paper.dkpca import shapes, vaes
from bench.paper.dkpca.codes import LEARNED, Choice, choose, deep, learned_maps, quietly
from bench.paper.dkpca.factors import TURNS, networks_are_there
from bench.paper.dkpca.shapes import Grid, Known

FloatArray = NDArray[np.float64]
COMPONENTS, STEPS, RANGE = 3, 7, (0.05, 0.95)
ACROSS = 4  # panels side by side
SCALE = vaes.Scale(channels=10, steps=400)
TRIANGLES, FEW_TRIANGLES = Grid((1, 4, 1, 8, 8)), Grid((1, 2, 1, 4, 4), 12)
OBJECTS, DIGITS, PICTURES = (0, 3, 7, 18), (0, 1, 4, 7), 300


@dataclass(frozen=True)
class Found:
    """A model of a set: codes by level, and ways back."""

    name: str
    codes: list[FloatArray]
    labels: list[list[str]]
    back: Callable[[FloatArray], FloatArray]
    """Of the codes of the first level."""
    traverse: Callable[[int, int, FloatArray, FloatArray], FloatArray]
    """Level from 0 on, component, values, and the codes of the level that it starts from."""


def run(settings: Settings) -> Outcome:
    """Every set with every model."""
    outcome = Outcome("dkpca_traversals", facts={"scale": SCALE.__dict__, "turns": TURNS._asdict()})
    networks = networks_are_there(settings)
    if not networks:
        outcome.sentences.append(
            "PyTorch is not installed, or not for a quick run: maps are small, and there is no VAE."
        )
    plane = []
    for known in sets(settings, outcome):
        order = np.random.default_rng(0).permutation(len(known.X))
        choice = choose(known.X[order[::2]], known.X[order[1::2]], COMPONENTS)
        found = [_principal(known), _shallow(known, choice), _kernels(known, choice), _maps(known, networks)]
        found += [_autoencoder(known, kind) for kind in vaes.KINDS] if networks else []
        outcome.tables.append(table(known, found))
        outcome.sentences.append(second_level(known))
        outcome.facts[known.name] = choice._asdict()
        outcome.pictures.append(_traversals(settings, known, found))
        plane.append((known, found))
    outcome.pictures.append(_planes(settings, plane))
    return outcome


def sets(settings: Settings, outcome: Outcome) -> list[Known]:
    """Triangles, objects, digits."""
    found = [shapes.shapes(FEW_TRIANGLES if settings.quick else TRIANGLES)]
    triangles = found[0]
    found[0] = Known("triangles", triangles.shape, triangles.X, triangles.factors[:, [1, 3, 4]], ("size", "x", "y"))
    try:
        coil = None if settings.quick else shapes.coil()
    except data.MissingSet as missing:
        coil = None
        outcome.sentences.append(str(missing))
    if coil:
        rows = np.isin(coil.factors[:, 0], OBJECTS)
        found.append(Known("objects", coil.shape, coil.X[rows], coil.factors[rows], coil.names))
    digits = mnist.pictures(settings, outcome)
    X, y = digits.draw(60 if settings.quick else PICTURES, seed=0, among=DIGITS)
    found.append(Known("digits", digits.shape, np.ascontiguousarray(X), y[:, None], ("digit",)))
    return found


def _principal(known: Known) -> Found:
    """As many components as two levels have."""
    model = PCA(2 * COMPONENTS, random_state=0)
    return _of_variables("PCA", model.fit_transform(known.X), model.inverse_transform, "p")


def _shallow(known: Known, choice: Choice) -> Found:
    """The same with the kernel of the first level, and its way back."""
    options = {"center": True, "inverse": choice.inverse, "inverse_alpha": choice.alpha}
    model = gramian.DeepKernelPCA(2 * COMPONENTS, gramian.kernels.Gaussian(gamma=choice.gamma), **options)
    return _of_levels("kernel PCA", known, model)


def _kernels(known: Known, choice: Choice) -> Found:
    model = deep(COMPONENTS, choice)
    return _of_levels("DKPCA, kernels", known, model)


def _maps(known: Known, networks: bool) -> Found:
    if networks:
        model = learned_maps(known.shape, COMPONENTS, SCALE, TURNS, seed=0)
    else:
        maps = [gramian.features.Network([(16, "tanh"), (size, "identity")]) for size in (8, known.X.shape[1])]
        levels = gramian.DeepKernelPCA((COMPONENTS, COMPONENTS), ["linear", None], center=True)
        model = gramian.ParametricDeepKernelPCA(*maps, levels, n_rounds=2, max_iter=10, random_state=0)
    return _of_levels(LEARNED, known, model)


def _of_levels(name: str, known: Known, model: Any) -> Found:
    quietly(lambda: model.fit(known.X))
    codes = (model.pca_ if hasattr(model, "pca_") else model).hidden_features_
    labels = [[f"{level}.{c + 1}" for c in range(H.shape[1])] for level, H in enumerate(codes, start=1)]
    return Found(
        name,
        codes,
        labels,
        lambda Z: quietly(lambda: model.inverse_transform(Z, level=1)),
        lambda level, column, values, base: quietly(lambda: model.traverse(level + 1, column, values, base=base)),
    )


def _autoencoder(known: Known, name: str) -> Found:
    """Latent variables by falling deviation."""
    vae = vaes.learn(name, known.X, known.shape, 2 * COMPONENTS, 0, SCALE)
    means = vae.encode(known.X)
    order = np.argsort(-means.std(axis=0))
    back = np.argsort(order)
    return _of_variables(name, means[:, order], lambda Z: vae.decode(Z[:, back]), "z")


def _of_variables(name: str, codes: FloatArray, decode: Callable[[FloatArray], FloatArray], letter: str) -> Found:
    """One level, whose codes are taken back one by one."""

    def traverse(level: int, column: int, values: FloatArray, base: FloatArray) -> FloatArray:
        del level
        moved = np.tile(base, (len(values), 1))
        moved[:, column] = values
        return decode(moved)

    labels = [[f"{letter}{c + 1}" for c in range(codes.shape[1])]]
    return Found(name, [codes], labels, decode, traverse)


def shares(codes: FloatArray, factors: NDArray[Any]) -> FloatArray:
    """For components and factors: the part of a component's variance that lies between the values of a factor."""
    Z = codes - codes.mean(axis=0)
    found = np.zeros((codes.shape[1], factors.shape[1]))
    for column, factor in enumerate(factors.T):
        _, groups, counts = np.unique(factor, return_inverse=True, return_counts=True)
        means = np.stack([np.bincount(groups, z) for z in Z.T], axis=1) / counts[:, None]
        found[:, column] = counts @ means**2 / np.maximum(np.sum(Z**2, axis=0), np.finfo(float).tiny)
    return found


def table(known: Known, found: list[Found]) -> Table:
    """What each component has of each factor, and how well pictures come back."""
    shown = Table(f"{known.name}: part of a component's variance between the values of a factor", ["component"])
    shown.columns = ["component", *known.names, "squared error of reconstructions"]  # type: ignore[misc]
    for one in found:
        error = float(np.mean((one.back(one.codes[0]) - known.X) ** 2))
        for labels, codes in zip(one.labels, one.codes, strict=True):
            for label, row in zip(labels, shares(codes, known.factors), strict=True):
                shown.rows.append([f"{one.name} {label}", *row.tolist(), error])
                error = None  # type: ignore[assignment]
    return shown


def second_level(known: Known) -> str:
    """How much of the second level is in the first one, with linear kernels on both."""
    model = gramian.DeepKernelPCA((COMPONENTS, COMPONENTS), "linear").fit(known.X)
    cosines = np.linalg.svd(model.hidden_features_[0].T @ model.hidden_features_[1], compute_uv=False)
    return f"{known.name}, linear kernels: the smallest cosine between the two levels' spaces is {cosines.min():.6f}."


def _traversals(settings: Settings, known: Known, found: list[Found]) -> Any:
    """A panel for each model: pictures, reconstructions, and a row for each component from the first picture on."""
    from bench.paper.common import draw

    height, width = known.shape
    figure, axes = draw.panels(-(-len(found) // ACROSS), min(ACROSS, len(found)), width=4.4, height=4.5)
    for ax in axes.flat[len(found) :]:
        ax.set_axis_off()
    rows = np.random.default_rng(1).permutation(len(known.X))[:STEPS]
    for ax, one in zip(axes.flat, found, strict=False):
        strips = [known.X[rows], one.back(one.codes[0][rows])]
        names = ["pictures", "reconstructed"]
        for level, (labels, codes) in enumerate(zip(one.labels, one.codes, strict=True)):
            told = shares(codes, known.factors)
            for column, label in enumerate(labels):
                low, high = np.quantile(codes[:, column], RANGE)
                strips.append(one.traverse(level, column, np.linspace(low, high, STEPS), codes[rows[0]]))
                best = int(told[column].argmax())
                names.append(f"{label}  {known.names[best]} {told[column, best]:.2f}")
        mosaic = np.ones((len(strips) * (height + 2) + 4, STEPS * (width + 1)))
        tops = [i * (height + 2) + 4 * (i > 1) for i in range(len(strips))]
        for top, strip in zip(tops, strips, strict=True):
            for k, picture in enumerate(np.asarray(strip).reshape(-1, height, width)):
                mosaic[top : top + height, k * (width + 1) : k * (width + 1) + width] = picture
        ax.imshow(mosaic, cmap="gray", vmin=0, vmax=1, interpolation="nearest")
        ax.set_yticks([top + height / 2 for top in tops], names, fontsize=8)
        ax.set_xticks([])
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        ax.set_title(one.name, fontsize=10)
    return draw.save(figure, settings.output / f"dkpca_traversals_{known.name}.png")


def _planes(settings: Settings, plane: list[tuple[Known, list[Found]]]) -> Any:
    """Pictures in the plane of the first two components of each level, coloured by a factor."""
    from bench.paper.common import draw

    columns = max(sum(len(one.codes) for one in found) for _, found in plane)
    figure, axes = draw.panels(len(plane), columns, width=2.5, height=2.5)
    for line, (row, (known, found)) in enumerate(zip(axes, plane, strict=True)):
        spots = [(one, level) for one in found for level in range(len(one.codes))]
        factor = known.names.index("x") if "x" in known.names else 0
        for ax, (one, level) in zip(row, spots, strict=False):
            codes = one.codes[level][:, :2]
            _points(ax, codes, known.factors[:, factor])
            title = f"{one.name}, level {level + 1}" if len(one.codes) > 1 else one.name
            ax.set_title(title if line == 0 else "", fontsize=8)
            ax.set_xticks([])
            ax.set_yticks([])
        row[0].set_ylabel(f"{known.name}, by {known.names[factor]}", fontsize=9)
    return draw.save(figure, settings.output / "dkpca_planes.png")


def _points(ax: Any, codes: FloatArray, factor: NDArray[Any]) -> None:
    """Many values have a scale of colours, few have markers too."""
    from bench.paper.common import draw

    values = np.unique(factor)
    if len(values) > len(draw.CLUSTERS):
        ax.scatter(*codes.T, c=factor, cmap="viridis", s=8)
        return
    draw.clusters(ax, codes, np.searchsorted(values, factor), size=12)
