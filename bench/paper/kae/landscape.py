# SPDX-License-Identifier: BSD-3-Clause
"""[KAE] App. A.4, Fig. 4: the objective of one point, one code and linear kernels is neither convex nor invex."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bench.paper.common.outcome import Outcome, Settings, Table

PENALTIES = ((0.0, 0.0), (0.1, 0.1), (0.3, 0.3), (1.0, 1.0))


class Point(NamedTuple):
    """A critical point."""

    phi: float
    psi: float
    value: float
    kind: str


def objective(phi: Any, psi: Any, lam: float, mu: float) -> Any:
    """P(phi, psi) = (1 - phi^2 psi)^2 + lambda phi^2 + mu psi^2."""
    return (1 - phi**2 * psi) ** 2 + lam * phi**2 + mu * psi**2


def critical_points(lam: float, mu: float) -> list[Point]:
    """
    All of them, for penalties above 0.

    psi = t / (t^2 + mu) with t = phi^2 leaves phi (lambda - 2 psi + 2 t psi^2) = 0, and t > 0 is a root of
    lambda (t^2 + mu)^2 - 2 mu t = 0.
    """
    roots = np.roots([lam, 0.0, 2 * lam * mu, -2 * mu, lam * mu**2])
    t = np.sort(roots[(np.abs(roots.imag) < 1e-9) & (roots.real > 0)].real)
    places = [(0.0, 0.0)] + [(sign * np.sqrt(one), one / (one**2 + mu)) for one in t for sign in (-1, 1)]
    return [Point(phi, psi, float(objective(phi, psi, lam, mu)), _kind(phi, psi, lam, mu)) for phi, psi in places]


def gradient(phi: float, psi: float, lam: float, mu: float) -> np.ndarray:
    """Its two derivatives."""
    rest = 1 - phi**2 * psi
    return np.array([2 * lam * phi - 4 * rest * phi * psi, 2 * mu * psi - 2 * rest * phi**2])


def _kind(phi: float, psi: float, lam: float, mu: float) -> str:
    mixed = -4 * phi + 8 * phi**3 * psi
    hessian = np.array([[2 * lam - 4 * psi + 12 * phi**2 * psi**2, mixed], [mixed, 2 * mu + 2 * phi**4]])
    return "minimum" if np.linalg.eigvalsh(hessian)[0] > 0 else "saddle"


def run(settings: Settings) -> Outcome:
    """List the critical points and draw the four maps."""
    table = Table("Critical points of the objective", ["lambda = mu", "phi", "psi", "value", "kind"])
    for lam, mu in PENALTIES:
        if lam == 0:
            table.rows.append(["0", "any", "1 / phi^2", 0.0, "global minima"])
            table.rows.append(["0", "0", "< 0", 1.0, "local minima"])
            continue
        points = critical_points(lam, mu)
        lowest = min(point.value for point in points)
        for point in points:
            kind = "global minimum" if point.value < lowest + 1e-12 else point.kind
            table.rows.append([f"{lam:g}", f"{point.phi:.4f}", f"{point.psi:.4f}", point.value, kind])
    sentence = (
        "At (0, 0) there is always a local minimum of value 1. It is not the global one as long as the penalties are "
        "small, so the objective is not invex, as the paper says."
    )
    outcome = Outcome("kae_landscape", [table], [sentence])
    outcome.pictures = [_draw(settings)]
    return outcome


def _draw(settings: Settings) -> Any:
    from bench.paper.common import draw

    figure, axes = draw.panels(2, 2, width=4.6, height=3.9)
    phi, psi = np.meshgrid(np.linspace(-3, 3, 300), np.linspace(-2, 4, 300))
    for ax, (lam, mu) in zip(axes.ravel(), PENALTIES, strict=True):
        shades = ax.pcolormesh(
            phi, psi, np.log10(objective(phi, psi, lam, mu) + 1e-2), cmap="viridis", vmin=-2, vmax=3, rasterized=True
        )
        ax.contour(phi, psi, objective(phi, psi, lam, mu), levels=[0.5, 1, 2, 5], colors="white", linewidths=0.5)
        _mark(ax, lam, mu)
        ax.set(title=f"lambda = mu = {lam:g}", xlabel="phi", ylabel="psi", xlim=(-3, 3), ylim=(-2, 4))
    figure.colorbar(shades, ax=axes, shrink=0.6, label="log10 of the objective + 0.01")
    figure.legend(handles=_legend(), loc="outside lower center", ncols=3, frameon=False)
    return draw.save(figure, settings.output / "kae_landscape.png")


def _mark(ax: Any, lam: float, mu: float) -> None:
    if lam == 0:
        phi = np.linspace(0.5, 3, 12)
        ax.plot(np.r_[-phi, phi], np.r_[1 / phi**2, 1 / phi**2], "P", color="black", ms=7, mec="white", mew=0.6)
        ax.plot(np.zeros(7), np.linspace(-1.9, -0.1, 7), "X", color="#d6303a", ms=7, mec="white", mew=0.6)
        return
    points = critical_points(lam, mu)
    lowest = min(point.value for point in points)
    for point in sorted(points, key=lambda one: one.kind, reverse=True):  # saddles below the rest
        best = point.value < lowest + 1e-12
        marker, colour = ("P", "black") if best else ("X", "#d6303a") if point.kind == "minimum" else ("o", "white")
        ax.plot(
            point.phi, point.psi, marker, color=colour, ms=9, mec="white" if colour != "white" else "black", mew=0.8
        )


def _legend() -> list[Any]:
    from matplotlib.lines import Line2D

    kinds = (("P", "black", "global minima"), ("X", "#d6303a", "local minima"), ("o", "white", "saddles"))
    return [Line2D([], [], marker=m, color=c, mec="grey", linestyle="", ms=9, label=name) for m, c, name in kinds]
