# SPDX-License-Identifier: BSD-3-Clause
"""Formulas as MathML, written when the pages are built: they are shown without a script and without a network."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the renderer that conf.py names."""
    app.add_html_math_renderer("mathml", (_visit_inline, None), (_visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _visit_inline(translator: Any, node: nodes.math) -> None:
    translator.body.append(_mathml(node.astext()))
    raise nodes.SkipNode


def _visit_block(translator: Any, node: nodes.math_block) -> None:
    translator.body.append(f'<div class="math">{_mathml(node.astext(), as_block=True)}</div>\n')
    raise nodes.SkipNode


def _mathml(tex: str, as_block: bool = False) -> str:
    # A bar is a fence here, never a relation: without this a browser sets spaces around it.
    return tex2mathml(tex, as_block=as_block).replace("<mo>|</mo>", '<mo lspace="0" rspace="0">|</mo>')
