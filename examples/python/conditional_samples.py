# SPDX-License-Identifier: BSD-3-Clause
"""A conditional with two branches: expectations under it, and samples that stand for it.

    python examples/python/conditional_samples.py [--output conditional_samples.png]

The mean of the outputs runs between the branches, where no output is. The embedding knows both. Needs matplotlib for
the picture alone.
"""

from __future__ import annotations

import argparse

import gramian
import numpy as np
from gramian.kernels import Gaussian


def draw(n, seed=0):
    """Inputs in [0, 3], and outputs around 1 + x with probability x / 3, else around -1."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(0, 3, size=n)
    upper = rng.random(n) < x / 3
    return x[:, None], np.where(upper, 1 + x, -1.0) + 0.15 * rng.normal(size=n)


def truth(at):
    """Probability of the upper branch, and mean, at some inputs."""
    return at / 3, at / 3 * (1 + at) - (1 - at / 3)


def embed(n=600):
    """Penalty and width of the inputs by cross-validation; the outputs' width is that of what should be told apart."""
    X, y = draw(n)
    return gramian.ConditionalMeanEmbedding(output_kernel=Gaussian(length_scale=0.3), learn="cv", random_state=0).fit(
        X, y
    )


def table(model, at):
    """A row for each input: what the embedding says, and what is true."""
    X = at[:, None]
    upper = model.expectation(lambda y: y > 0.5, X)
    shares = (model.sample(X, 30) > 0.5).mean(axis=1)
    return np.c_[at, upper, shares, truth(at)[0], model.predict(X), truth(at)[1]]


def picture(model, at, path):
    """Write the data, the mean, and 30 samples for each input."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 4.5), layout="constrained")
    axes.scatter(model.X_fit_[:, 0], model.Y_fit_, s=6, color="0.75", label="data")
    line = np.linspace(0, 3, 200)
    axes.plot(line, model.predict(line[:, None]), color="tab:blue", label="expected output")
    axes.plot(line, truth(line)[1], "--", color="tab:blue", linewidth=1, label="its true value")
    drawn = model.sample(at[:, None], 30)
    axes.scatter(
        np.repeat(at, 30), drawn.ravel(), s=14, color="tab:red", marker="_", label="30 samples at each of four inputs"
    )
    axes.set(xlabel="x", ylabel="y")
    axes.legend(loc="upper left", frameon=False)
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", help="where the picture goes; none without it")
    output = parser.parse_args().output
    model, at = embed(), np.array([0.5, 1.2, 1.9, 2.6])
    print(f"penalty {model.penalty_:g}, width of the inputs {np.sqrt(1 / (2 * model.kernel_.gamma)):.2g}")
    print("   x   P(upper): embedding  samples  truth     mean: embedding  truth")
    for row in table(model, at):
        print("{:4.1f} {:20.2f} {:8.2f} {:6.2f} {:19.2f} {:6.2f}".format(*row))
    print(f"squared distance of the conditionals at 0.5 and 2.6: {model.distance([[0.5]], [[2.6]])[0]:.3f}")
    if output:
        picture(model, at, output)


if __name__ == "__main__":
    main()
