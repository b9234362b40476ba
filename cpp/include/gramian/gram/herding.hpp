// SPDX-License-Identifier: BSD-3-Clause
// Samples that stand for a mean in the space of a kernel, one after the other.
#pragma once

#include <vector>

#include "gramian/gram/source.hpp"

namespace gramian {

enum class Repeats { allowed, forbidden };  ///< forbidden: each candidate once at most, and the bound below need not hold

/// Herding, [CWS]: for each of q embeddings `count` candidates, one after the other, each of which brings the average of the
/// chosen ones' embeddings as close to mu as a single one can. Returns q x count candidates, row by row; ties go to the first
/// taken. If mu is a convex combination of candidates' embeddings phi(c) with weights w, then
/// |average - mu|^2 <= (sum_c w_c |phi(c) - mu|^2) / count.
///
/// This is the rule of [CWS] where l(c, c) is the same for all c, and else the one that keeps this bound.
///
/// means: q x c, mu at the candidates, as conditional_mean::values() has it. candidates: their own Gram matrix, or kernel and
/// points, of which columns are computed when they are chosen: O(q count c d) then. Throws std::invalid_argument if count < 1 or
/// there is no candidate.
GRAMIAN_API std::vector<Index> herd(const GramSource& candidates, MatrixView<const double> means, Index count,
                                    Repeats repeats = Repeats::allowed);

}  // namespace gramian
