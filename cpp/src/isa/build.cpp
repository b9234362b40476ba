// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for each instruction set, with GRAMIAN_ISA naming it. The table is the only symbol that leaves the object.
#include "isa/activation.hpp"
#include "isa/apply.hpp"
#include "isa/apply_both.hpp"
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
#include "isa/store.hpp"
#include "isa/table.hpp"
#include "isa/tile.hpp"
#include "kernels/registry.hpp"

#define GRAMIAN_TEXT_(x) #x
#define GRAMIAN_TEXT(x) GRAMIAN_TEXT_(x)

namespace gramian::isa {
namespace {

template <class Profile>
constexpr auto slope_of_value(int) -> decltype(Profile::slope_of_value) {
  return Profile::slope_of_value;
}
template <class Profile>
constexpr double slope_of_value(long) {
  return 0.0;
}

template <class T, class Profile>
constexpr KernelOps<T> make_kernel_ops() {
  if constexpr (Profile::form == Form::coordinate) {
    return {coordinate_tile<T, Profile>,
            coordinate_diagonal<T, Profile>,
            nullptr,
            nullptr,
            nullptr,
            nullptr,
            coordinate_chain<T, Profile>,
            coordinate_rate<T, Profile>,
            coordinate_chain_along<T, Profile>,
            0.0};
  } else {
    return {multiply_tile<T, Profile::form, Profile>,
            pair_diagonal<T, Profile>,
            pair_values<T, Profile>,
            pair_chain<T, Profile, false>,
            pair_chain<T, Profile, true>,
            pair_chain_along<T, Profile>,
            nullptr,
            nullptr,
            nullptr,
            slope_of_value<Profile>(0)};
  }
}

template <class T, class List>
struct EachKernel;
template <class T, class... Profiles>
struct EachKernel<T, KernelList<Profiles...>> {
  static constexpr KernelOps<T> ops[] = {make_kernel_ops<T, Profiles>()...};
};

template <class T>
constexpr Ops<T> make_ops() {
  return {Block<T>::rows,
          Block<T>::cols,
          EachKernel<T, Registry>::ops,
          multiply_tile<T, Form::distance, Raw>,
          multiply_tile<T, Form::inner, Raw>,
          multiply_tile<T, Form::inner, Weighed>,
          store_tile<T>,
          store_transposed<T>,
          apply<T, ColumnStrips<T>>,
          apply<T, RowStrips<T>>,
          apply_both<T>,
          bilinear<T>,
          multiply_entries<T>,
          add_entries<T>,
          scale_entries<T>,
          dot_entries<T>,
          all_finite<T>};
}

template <class T>
constexpr DenseOps<T> make_dense_ops() {
  return {pack_panel<T>,          unpack_panel<T>,           panel_product<T, false>, panel_product<T, true>,
          panel_solve<T>,         panel_solve_transposed<T>, vector_solve<T>,         vector_solve_transposed<T>,
          panel_factor<T>,        differs_from_transpose<T>, subtract_rows<T>,        subtract_columns<T>,
          subtract_transposed<T>, symmetric_block<T>,        symmetric_vector<T>,     secular_sums<T>,
          distance_products<T>,   divide_by_distances<T>,    divide_by_band<T>,       rotate<T>};
}

}  // namespace

namespace GRAMIAN_ISA {
extern const Table table;
const Table table = {GRAMIAN_TEXT(GRAMIAN_ISA),
                     make_ops<double>(),
                     make_ops<float>(),
                     make_dense_ops<double>(),
                     {apply_to_each<Sigmoid>, apply_to_each<Tanh>, cosine_sine}};
}  // namespace GRAMIAN_ISA

}  // namespace gramian::isa
