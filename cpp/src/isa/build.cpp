// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for each instruction set, with GRAMIAN_ISA naming it. The table is the only symbol that leaves the object.
#include "isa/activation.hpp"
#include "isa/apply.hpp"
#include "isa/apply_both.hpp"
#include "isa/apply_few.hpp"
#include "isa/bilinear.hpp"
#include "isa/dense_band.hpp"
#include "isa/dense_compare.hpp"
#include "isa/dense_pack.hpp"
#include "isa/dense_rotate.hpp"
#include "isa/dense_secular.hpp"
#include "isa/dense_solve.hpp"
#include "isa/dense_solve_vector.hpp"
#include "isa/dense_symmetric.hpp"
#include "isa/dense_vectors.hpp"
#include "isa/coordinate_tile.hpp"
#include "isa/elementwise.hpp"
#include "isa/pair.hpp"
#include "isa/point_row.hpp"
#include "isa/store.hpp"
#include "isa/table.hpp"
#include "isa/tile.hpp"
#include "kernels/registry.hpp"

#define GRAMIAN_TEXT_(x) #x
#define GRAMIAN_TEXT(x) GRAMIAN_TEXT_(x)

namespace gramian::isa {
namespace {

template <class T, class Profile>
constexpr KernelOps<T> make_kernel_ops() {
  KernelOps<T> ops{};
  if constexpr (Profile::form == Form::coordinate) {
    ops.tile = coordinate_tile<T, Profile>;
    if constexpr (panels_are_vectors<T>) ops.point_row = coordinate_row<T, Profile>;
    ops.diagonal = coordinate_diagonal<T, Profile>;
    ops.coordinate_chain = coordinate_chain<T, Profile>;
    ops.coordinate_rate = coordinate_rate<T, Profile>;
    ops.coordinate_chain_along = coordinate_chain_along<T, Profile>;
  } else {
    ops.tile = multiply_tile<T, Profile::form, Profile>;
    if constexpr (panels_are_vectors<T>) ops.point_row = multiply_row<T, Profile::form, Profile>;
    ops.diagonal = pair_diagonal<T, Profile>;
    ops.values = pair_values<T, Profile>;
    ops.chain = pair_chain<T, Profile, false>;
    ops.value_and_chain = pair_chain<T, Profile, true>;
    ops.chain_along = pair_chain_along<T, Profile>;
    if constexpr (of_s_only<Profile>(0)) ops.slopes = pair_slopes<T, Profile>;
    ops.slope_of_value = slope_of_value<Profile>(0);
  }
  return ops;
}

template <class T, class List>
struct EachKernel;
template <class T, class... Profiles>
struct EachKernel<T, KernelList<Profiles...>> {
  static constexpr KernelOps<T> ops[] = {make_kernel_ops<T, Profiles>()...};
};

template <class T>
constexpr Ops<T> make_ops() {
  Ops<T> ops{};
  ops.row_panel = Block<T>::rows;
  ops.col_panel = Block<T>::cols;
  ops.kernels = EachKernel<T, Registry>::ops;
  ops.raw_distance = multiply_tile<T, Form::distance, Raw>;
  ops.raw_inner = multiply_tile<T, Form::inner, Raw>;
  ops.weigh = multiply_tile<T, Form::inner, Weighed>;
  ops.store = store_tile<T>;
  ops.store_transposed = store_transposed<T>;
  ops.apply_to_columns = apply<T, ColumnStrips<T>>;
  ops.apply_to_rows = apply<T, RowStrips<T>>;
  ops.apply_to_both = apply_both<T>;
  ops.apply_few = apply_few<T>;
  ops.bilinear = bilinear<T>;
  ops.multiply = multiply_entries<T>;
  ops.add = add_entries<T>;
  ops.scale = scale_entries<T>;
  ops.dot = dot_entries<T>;
  ops.all_finite = all_finite<T>;
  return ops;
}

template <class T>
constexpr DenseOps<T> make_dense_ops() {
  DenseOps<T> ops{};
  ops.pack = pack_panel<T>;
  ops.unpack = unpack_panel<T>;
  ops.add_product = panel_product<T, false>;
  ops.subtract_product = panel_product<T, true>;
  ops.solve = panel_solve<T>;
  ops.solve_transposed = panel_solve_transposed<T>;
  ops.solve_vector = vector_solve<T>;
  ops.solve_vector_transposed = vector_solve_transposed<T>;
  ops.factor = panel_factor<T>;
  ops.differs_from_transpose = differs_from_transpose<T>;
  ops.next_score = next_score<T>;
  ops.least_score = least_score<T>;
  ops.subtract_rows = subtract_rows<T>;
  ops.subtract_columns = subtract_columns<T>;
  ops.subtract_transposed = subtract_transposed<T>;
  ops.symmetric_block = symmetric_block<T>;
  ops.symmetric_vector = symmetric_vector<T>;
  ops.secular_sums = secular_sums<T>;
  ops.distance_products = distance_products<T>;
  ops.divide_by_distances = divide_by_distances<T>;
  ops.divide_by_band = divide_by_band<T>;
  ops.rotate = rotate<T>;
  return ops;
}

constexpr FeatureOps make_feature_ops() {
  FeatureOps ops{};
  ops.sigmoid = apply_to_each<Sigmoid>;
  ops.tanh = apply_to_each<Tanh>;
  ops.cosine_sine = cosine_sine;
  return ops;
}

constexpr Table make_table() {
  Table table{};
  table.name = GRAMIAN_TEXT(GRAMIAN_ISA);
  table.float64 = make_ops<double>();
  table.float32 = make_ops<float>();
  table.dense = make_dense_ops<double>();
  table.feature = make_feature_ops();
  return table;
}

}  // namespace

namespace GRAMIAN_ISA {
extern const Table table;
constexpr Table table = make_table();
}  // namespace GRAMIAN_ISA

}  // namespace gramian::isa
