// SPDX-License-Identifier: BSD-3-Clause
// Operators, layers and maps of points in model files.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gramian/layers/composition_map.hpp"
#include "serving/stored/reader.hpp"
#include "serving/stored/writer.hpp"

namespace gramian::stored {

/// Terms of a layer, and layers of a map.
constexpr Index most_parts = 1000;

/// {"identity": size}, {"diagonal": [..]}, or {"full": size} with the matrix "<name>.numbers".
void put_operator(Writer& writer, const std::string& name, const OutputOperator& A);
/// `size`: the outputs that it must have. It is known from the arrays of the model: the memory of an operator is not a number's.
OutputOperator take_operator(Reader& reader, const std::string& name, Index size);

/// "penalty", "terms", and of each term "terms.<m>.kernel" and "terms.<m>.operator".
void put_layer(Writer& writer, const KernelLayer& layer);
KernelLayer take_layer(Reader& reader, Index outputs);

/// "layers", and of each layer the entries above, "coefficients" and "supports".
void put_layers(Writer& writer, const std::vector<SupportedLayer>& layers);
std::vector<SupportedLayer> take_layers(Reader& reader);

/// The layers of a map, "shift" and "scale".
void put_map(Writer& writer, const CompositionMap& map);
std::shared_ptr<const CompositionMap> take_map(Reader& reader);

}  // namespace gramian::stored
