# SPDX-License-Identifier: BSD-3-Clause
"""
Pictures whose factors are known, for [DKPCA] Sec. 5.1: shapes drawn here, and COIL-20, objects on a turntable.

They stand for 3DShapes, Cars3D and SmallNORB. Every combination of the factors of shapes is there once; edges are
smoothed over a pixel.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.paper.common import data

FloatArray = NDArray[np.float64]
FACTORS = ("shape", "size", "rotation", "x", "y")

# Convex parts of each shape, corners counter-clockwise; each one looks the same only after a full turn.
_TRIANGLE = (((-0.6, -0.75), (0.6, -0.75), (0.0, 1.0)),)
_L = (((-0.6, -0.9), (-0.1, -0.9), (-0.1, 0.9), (-0.6, 0.9)), ((-0.6, -0.9), (0.7, -0.9), (0.7, -0.4), (-0.6, -0.4)))
_T = (((-0.25, -0.9), (0.25, -0.9), (0.25, 0.9), (-0.25, 0.9)), ((-0.8, 0.4), (0.8, 0.4), (0.8, 0.9), (-0.8, 0.9)))
SHAPES = (_TRIANGLE, _L, _T)


@dataclass(frozen=True)
class Known:
    """Pictures in rows, pixels in [0, 1], and the values of their factors as whole numbers."""

    name: str
    shape: tuple[int, int]
    X: FloatArray
    factors: NDArray[np.int64]
    names: tuple[str, ...]


@dataclass(frozen=True)
class Grid:
    """How many values each factor has, and the side of a picture."""

    counts: tuple[int, int, int, int, int] = (3, 4, 8, 6, 6)
    side: int = 32


SMALL = Grid((2, 2, 4, 3, 3), 12)


def shapes(grid: Grid | None = None) -> Known:
    """All combinations of shape, size, rotation and place."""
    grid = grid or Grid()
    factors = np.stack(np.unravel_index(np.arange(np.prod(grid.counts)), grid.counts), axis=1)
    # The largest shape stays inside wherever it is.
    sizes = grid.side * np.linspace(0.16, 0.28, grid.counts[1])
    angles = 2 * np.pi * np.arange(grid.counts[2]) / grid.counts[2]
    places = [np.linspace(0.34, 0.66, count) * grid.side for count in grid.counts[3:]]
    rows = []
    for kind, size, turn, x, y in factors:
        where = places[0][x], places[1][y]
        rows.append(draw(SHAPES[kind], sizes[size], angles[turn], where, grid.side).ravel())
    return Known(f"shapes, {grid.side} x {grid.side}", (grid.side, grid.side), np.array(rows), factors, FACTORS)


def draw(parts: Any, size: float, angle: float, where: tuple[float, float], side: int) -> FloatArray:
    """How much of each pixel a shape covers; `where` is its centre as (x, y) in pixels from the top left."""
    centres = np.arange(side) + 0.5
    across, down = np.meshgrid(centres - where[0], centres - where[1])
    c, s = np.cos(angle), np.sin(angle)
    u, v = (c * across - s * down) / size, (-s * across - c * down) / size
    return np.clip(0.5 - size * _distance(parts, u, v), 0.0, 1.0)


def _distance(parts: Any, u: FloatArray, v: FloatArray) -> FloatArray:
    """From the edge of a union of convex parts, negative inside."""
    nearest = np.full(u.shape, np.inf)
    for corners in parts:
        farthest = np.full(u.shape, -np.inf)
        for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
            length = np.hypot(bx - ax, by - ay)
            farthest = np.maximum(farthest, ((by - ay) * (u - ax) - (bx - ax) * (v - ay)) / length)
        nearest = np.minimum(nearest, farthest)
    return nearest


def coil() -> Known:
    """20 objects, each from 72 sides."""
    found = data.load("coil20")
    X = np.asarray(found.X, dtype=np.float64).reshape(len(found.X), -1) / 255.0
    side = round(X.shape[1] ** 0.5)
    factors = np.stack([found.y, found.view], axis=1).astype(np.int64)
    return Known("COIL-20", (side, side), X, factors, ("object", "angle"))
