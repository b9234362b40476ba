# SPDX-License-Identifier: BSD-3-Clause
"""
beta-VAE, FactorVAE and beta-TCVAE in PyTorch, with the networks of [DKPCA] Table B.2 and the weights of B.1.

The same two networks are phi and psi of a deep kernel PCA with learned maps. PyTorch is imported where it is used, as
quick runs do without it.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
BETA, GAMMA, WEIGHTS = 4.0, 10.0, (1.0, 6.0, 1.0)  # the last: mutual information, total correlation, each dimension
KINDS = ("β-VAE", "FactorVAE", "β-TCVAE")
HIDDEN, FEATURES, SLOPE = 256, 50, 0.2  # of Table B.2


@dataclass(frozen=True)
class Scale:
    """What is learned with; the paper has 40 channels, rate 1e-4, and 50 000 epochs."""

    channels: int = 16
    batch: int = 64
    steps: int = 1500
    rate: float = 1e-3
    units: int = 128
    """Of the discriminator of FactorVAE, which has three hidden layers."""


@dataclass(frozen=True)
class Learned:
    """A variational autoencoder as two functions of arrays."""

    encode: Callable[[FloatArray], FloatArray]
    """Means of the latent variables."""
    decode: Callable[[FloatArray], FloatArray]
    seconds: float


def encoder(shape: tuple[int, int], channels: int, outputs: int) -> Any:
    """Table B.2, left: three convolutions, the last one of 3 x 3 without padding, and two full layers."""
    from torch import nn

    sides = [side // 4 - 2 for side in shape]
    return nn.Sequential(
        nn.Unflatten(1, (1, *shape)),
        *(nn.Conv2d(1, channels, 4, stride=2, padding=1), nn.PReLU(init=SLOPE)),
        *(nn.Conv2d(channels, 2 * channels, 4, stride=2, padding=1), nn.PReLU(init=SLOPE)),
        *(nn.Conv2d(2 * channels, 4 * channels, 3), nn.PReLU(init=SLOPE), nn.Flatten()),
        *(nn.Linear(4 * channels * sides[0] * sides[1], HIDDEN), nn.PReLU(init=SLOPE), nn.Linear(HIDDEN, outputs)),
    )


def decoder(shape: tuple[int, int], channels: int, inputs: int, logits: bool = False) -> Any:
    """Table B.2, right: the same the other way round; with the sigmoid at the end, or before it."""
    from torch import nn

    sides = [side // 4 - 2 for side in shape]
    return nn.Sequential(
        *(nn.Linear(inputs, HIDDEN), nn.PReLU(init=SLOPE)),
        *(nn.Linear(HIDDEN, 4 * channels * sides[0] * sides[1]), nn.PReLU(init=SLOPE)),
        nn.Unflatten(1, (4 * channels, *sides)),
        *(nn.ConvTranspose2d(4 * channels, 2 * channels, 3), nn.PReLU(init=SLOPE)),
        *(nn.ConvTranspose2d(2 * channels, channels, 4, stride=2, padding=1), nn.PReLU(init=SLOPE)),
        nn.ConvTranspose2d(channels, 1, 4, stride=2, padding=1),
        *([] if logits else [nn.Sigmoid()]),
        nn.Flatten(),
    )


def learn(
    kind: str, X: FloatArray, shape: tuple[int, int], latents: int, seed: int, scale: Scale | None = None
) -> Learned:
    """One of KINDS, on pictures in rows; all of them have the same start and the same steps."""
    import torch

    scale = scale or Scale()
    torch.manual_seed(seed)
    model = _Model(encoder(shape, scale.channels, 2 * latents), decoder(shape, scale.channels, latents, logits=True))
    penalty = {KINDS[0]: _beta, KINDS[1]: _Discriminated(latents, scale), KINDS[2]: _total_correlation(len(X))}[kind]
    optimiser = torch.optim.Adam([*model.encoder.parameters(), *model.decoder.parameters()], lr=scale.rate)
    pictures, draws = torch.from_numpy(X).float(), np.random.default_rng(seed)
    begin = time.process_time()
    for _ in range(scale.steps):
        rows = torch.from_numpy(draws.integers(len(X), size=scale.batch))
        z, mean, log_variance, loss = model(pictures[rows])
        optimiser.zero_grad()
        (loss + penalty(z, mean, log_variance)).backward()
        optimiser.step()
        if isinstance(penalty, _Discriminated):
            rows = torch.from_numpy(draws.integers(len(X), size=scale.batch))
            penalty.step(z.detach(), model.latent(pictures[rows])[0].detach())
    return Learned(model.means, model.pictures, time.process_time() - begin)


class _Model:
    """Normal latent variables, and pixels that are Bernoulli variables."""

    def __init__(self, encode: Any, decode: Any) -> None:
        self.encoder, self.decoder = encode, decode

    def latent(self, pictures: Any) -> tuple[Any, Any, Any]:
        import torch

        mean, log_variance = self.encoder(pictures).chunk(2, dim=1)
        return mean + torch.exp(0.5 * log_variance) * torch.randn_like(mean), mean, log_variance

    def __call__(self, pictures: Any) -> tuple[Any, Any, Any, Any]:
        """Latent variables, and the loss of reconstructions for a picture."""
        from torch.nn import functional

        z, mean, log_variance = self.latent(pictures)
        loss = functional.binary_cross_entropy_with_logits(self.decoder(z), pictures, reduction="sum")
        return z, mean, log_variance, loss / len(pictures)

    def means(self, X: FloatArray) -> FloatArray:
        return _in_blocks(lambda rows: self.encoder(rows).chunk(2, dim=1)[0], X)

    def pictures(self, codes: FloatArray) -> FloatArray:
        return _in_blocks(lambda rows: self.decoder(rows).sigmoid(), codes)


def _in_blocks(function: Callable[[Any], Any], X: FloatArray, block: int = 500) -> FloatArray:
    import torch

    with torch.no_grad():
        parts = [function(torch.from_numpy(X[at : at + block]).float()) for at in range(0, len(X), block)]
    return torch.cat(parts).double().numpy()


def _divergence(mean: Any, log_variance: Any) -> Any:
    """From the standard normal distribution, for a picture."""
    return 0.5 * (mean**2 + log_variance.exp() - log_variance - 1).sum(dim=1).mean()


def _beta(z: Any, mean: Any, log_variance: Any) -> Any:
    del z
    return BETA * _divergence(mean, log_variance)


def _total_correlation(count: int) -> Callable[..., Any]:
    """What beta-TCVAE weights, by sampling within the batch, for `count` pictures in all."""
    import math

    import torch

    def penalty(z: Any, mean: Any, log_variance: Any) -> Any:
        own = _log_normal(z, mean, log_variance).sum(dim=1)
        pairs = _log_normal(z[:, None], mean[None], log_variance[None])
        scale = math.log(count * len(z))
        together = torch.logsumexp(pairs.sum(dim=2), dim=1) - scale
        apart = (torch.logsumexp(pairs, dim=1) - scale).sum(dim=1)
        prior = _log_normal(z, torch.zeros_like(z), torch.zeros_like(z)).sum(dim=1)
        parts = own - together, together - apart, apart - prior
        return sum(weight * part.mean() for weight, part in zip(WEIGHTS, parts, strict=True))

    return penalty


def _log_normal(z: Any, mean: Any, log_variance: Any) -> Any:
    return -0.5 * ((z - mean) ** 2 / log_variance.exp() + log_variance + np.log(2 * np.pi))


class _Discriminated:
    """FactorVAE: a network tells joint latent variables from permuted ones, which gives their total correlation."""

    def __init__(self, latents: int, scale: Scale) -> None:
        import torch
        from torch import nn

        sizes = [latents, scale.units, scale.units, scale.units]
        layers = [part for a, b in zip(sizes, sizes[1:], strict=False) for part in (nn.Linear(a, b), nn.LeakyReLU(0.2))]
        self.network = nn.Sequential(*layers, nn.Linear(scale.units, 1))
        self.frozen = copy.deepcopy(self.network).requires_grad_(False)
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=1e-4, betas=(0.5, 0.9))

    def __call__(self, z: Any, mean: Any, log_variance: Any) -> Any:
        self.frozen.load_state_dict(self.network.state_dict())
        return _divergence(mean, log_variance) + GAMMA * self.frozen(z).mean()

    def step(self, joint: Any, other: Any) -> None:
        """One step of the network that tells them apart."""
        import torch
        from torch.nn import functional

        apart = torch.stack([column[torch.randperm(len(column))] for column in other.T], dim=1)
        loss = functional.softplus(-self.network(joint)).mean() + functional.softplus(self.network(apart)).mean()
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()
