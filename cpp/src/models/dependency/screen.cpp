// SPDX-License-Identifier: BSD-3-Clause
#include "models/dependency/screen.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gram/source.hpp"
#include "gramian/base/finite.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/gram/paired.hpp"
#include "gramian/gram/product.hpp"
#include "gramian/linalg/eigen_symmetric.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/triangular.hpp"
#include "linalg/inner_product.hpp"
#include "models/dependency/predict.hpp"

namespace gramian::dependency {
namespace {

constexpr Index most_numbers = Index(1) << 24;  // of M
constexpr Index together = 1024;                // candidates at a time, and those that directions are taken from
constexpr Index most_directions = 255, rank_step = 8;
constexpr Index pilot_rows = 32;
constexpr double least_direction = 1e-10;  // of a squared singular value, relative to the largest: A is orthogonal up to 1e-6
constexpr Index rest_rows = 256;           // candidates that further directions are taken from
constexpr double least_rest = 1e-24;       // of a squared singular value of what is left, relative to the largest of all
constexpr double rounding = 1e-11;         // of a score, relative to the lengths of its factors
constexpr double rounding_of_terms = 1e-13;

// In multiplications of a product of matrices:
constexpr double kernel_value = 20.0;
constexpr double picked_value = 60.0;  // of an input on its own, with all supports
constexpr double of_survivor = 8.0;    // in an inner product on its own
constexpr double found = 800.0;        // a survivor, whatever its numbers
constexpr double fresh_value = 100.0;  // of a candidate, which is computed for each call and written to memory

double direct_cost(const View& model, Index candidates) {
  return static_cast<double>(model.outputs()) * static_cast<double>(model.inputs() + candidates);
}

/// Rows of M for some candidates, from their kernel values with the output supports.
void score_rows(const View& model, MatrixView<const double> cross, MatrixView<double> M) {
  if (model.output_factor.empty()) return gemm(1.0, cross, model.coefficients, 0.0, M);
  Matrix v(cross.cols(), cross.rows());
  solve_lower(model.output_factor, transposed(cross), v.view());
  gemm(1.0, transposed(std::as_const(v).view()), model.coefficients, 0.0, M);
}

std::vector<Index> spread(Index count, Index most) {
  std::vector<Index> rows(at(std::min(count, most)));
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<Index>(i) * count / static_cast<Index>(rows.size());
  return rows;
}

const double* row_of(const Matrix& A, Index i) { return A.data() + i * A.cols(); }

/// Of candidates with the same kernel values and norms the first.
std::vector<Index> first_of_equals(const Matrix& cross, const Matrix& norms) {
  std::vector<Index> order(at(cross.rows())), out;
  std::iota(order.begin(), order.end(), Index(0));
  const auto before = [&](Index a, Index b) {
    if (norms(a, 0) != norms(b, 0)) return norms(a, 0) < norms(b, 0);
    const double *x = row_of(cross, a), *y = row_of(cross, b);
    return std::lexicographical_compare(x, x + cross.cols(), y, y + cross.cols());
  };
  std::stable_sort(order.begin(), order.end(), before);
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || before(order[i - 1], order[i])) out.push_back(order[i]);
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// M and norms of all candidates, or of the first of equal ones.
void take_candidates(const View& model, const CrossSource& candidates, bool distinct, Screen& screen) {
  const Index c = candidates.rows();
  Matrix cross(c, model.outputs()), norms(c, 1);
  Scratch scratch;
  for (Index first = 0; first < c; first += together) {
    poll_stop();
    const Index count = std::min(together, c - first);
    const MatrixView<const double> some = rows_of(candidates, first, count, scratch);
    copy_rows(some, rows_of(cross.view(), first, count));
    norms_of(model, candidates, first, some, rows_of(norms.view(), first, count));
  }
  require_finite(cross.view(), "cross");
  require_finite(norms.view(), "diagonal");
  screen.rows.resize(at(c));
  std::iota(screen.rows.begin(), screen.rows.end(), Index(0));
  if (distinct) screen.rows = first_of_equals(cross, norms);
  screen.M = Matrix(static_cast<Index>(screen.rows.size()), model.inputs());
  const Matrix kept = picked(std::as_const(cross).view(), screen.rows);
  score_rows(model, kept.view(), screen.M.view());
  for (Index j = 0; j < kept.rows(); ++j) {
    // Weights have 1 / s2 in them then.
    const double* values = row_of(kept, j);
    const double mean = std::accumulate(values, values + kept.cols(), 0.0) / static_cast<double>(kept.cols());
    screen.norms.push_back(norms(screen.rows[at(j)], 0) - (model.centred ? 2.0 * mean : 0.0));
  }
}

/// M times the metric, of some rows.
Matrix dual(MatrixView<const double> M, MatrixView<const double> metric) {
  if (metric.empty()) return Matrix::copy_of(M);
  Matrix out(M.rows(), M.cols());
  gemm(1.0, M, metric, 0.0, out.view());
  return out;
}

/// Directions of length 1 that hold most of some rows, the first of them most, as far as squared singular values are above
/// `least`: s1 x most. largest: the largest of the latter.
Matrix directions_of_rows(const Matrix& some, MatrixView<const double> metric, Index limit, double least, double& largest) {
  const Index m = some.rows();
  const Matrix moved = dual(some.view(), metric);
  Matrix G(m, m), values(m, 1), U(m, m);
  gemm(1.0, moved.view(), transposed(some.view()), 0.0, G.view());
  eigen_symmetric(G.view(), values.view(), U.view(), EigenOrder::descending);
  largest = values(0, 0);
  Index most = 0;
  while (most < std::min(m, limit) && values(most, 0) > std::max(least, least_direction * largest)) ++most;
  for (Index k = 0; k < most; ++k) {
    const double scale = 1.0 / std::sqrt(values(k, 0));
    for (Index i = 0; i < m; ++i) U(i, k) *= scale;
  }
  Matrix out(some.cols(), most);
  if (most > 0) gemm(1.0, transposed(some.view()), part(std::as_const(U).view(), 0, m, 0, most), 0.0, out.view());
  return out;
}

/// Directions that hold most of M: s1 x most. A product of M with its transpose has half of the digits, and what is left of M
/// in the other directions has some more.
Matrix directions_of(const Matrix& M, MatrixView<const double> metric) {
  const Index limit = std::min({M.rows(), M.cols(), most_directions});
  double largest = 0.0, largest_rest = 0.0;
  Matrix A = directions_of_rows(picked(M.view(), spread(M.rows(), together)), metric, limit, 0.0, largest);
  if (A.cols() == 0 || A.cols() == limit) return A;
  Matrix rest = picked(M.view(), spread(M.rows(), rest_rows));
  for (int turn = 0; turn < 2; ++turn) {  // the second one takes what rounding leaves of the directions
    const Matrix moved = dual(rest.view(), metric);
    Matrix in_A(rest.rows(), A.cols());
    gemm(1.0, moved.view(), A.view(), 0.0, in_A.view());
    gemm(-1.0, in_A.view(), transposed(A.view()), 1.0, rest.view());
  }
  const Matrix more = directions_of_rows(rest, metric, limit - A.cols(), least_rest * largest, largest_rest);
  Matrix out(M.cols(), A.cols() + more.cols());
  copy_rows(A.view(), part(out.view(), 0, out.rows(), 0, A.cols()));
  if (more.cols() > 0) copy_rows(more.view(), part(out.view(), 0, out.rows(), A.cols(), more.cols()));
  return out;
}

/// Rows of M in these directions, and their squared lengths: c x (most + 1).
Matrix coordinates_in(const Matrix& M, MatrixView<const double> metric, const Matrix& A) {
  const Index most = A.cols();
  Matrix out(M.rows(), most + 1);
  for (Index first = 0; first < M.rows(); first += together) {
    poll_stop();
    const Index count = std::min(together, M.rows() - first);
    const Matrix moved = dual(rows_of(M.view(), first, count), metric);
    gemm(1.0, moved.view(), A.view(), 0.0, part(out.view(), first, count, 0, most));
    for (Index i = 0; i < count; ++i) {
      out(first + i, most) = std::max(0.0, inner_product(row_of(M, first + i), row_of(moved, i), M.cols()));
    }
  }
  return out;
}

/// The lengths of the rows of M - B Aᵀ in the dual metric, and what rounding adds.
std::vector<double> rest_of(const Matrix& M, MatrixView<const double> metric, const Matrix& A, const Matrix& B,
                            const Matrix& coordinates) {
  // Terms of <m, k_x> may be larger than the product of the lengths in these metrics, where the Gram matrix is close to singular.
  double trace = 0.0;
  for (Index i = 0; i < metric.rows(); ++i) trace += std::max(0.0, metric(i, i));
  const double of_terms = rounding_of_terms * std::sqrt(trace);
  std::vector<double> out;
  for (Index first = 0; first < M.rows(); first += together) {
    poll_stop();
    const Index count = std::min(together, M.rows() - first);
    Matrix rest = Matrix::copy_of(rows_of(M.view(), first, count));
    gemm(-1.0, rows_of(B.view(), first, count), transposed(A.view()), 1.0, rest.view());
    const Matrix moved = dual(rest.view(), metric);
    for (Index i = 0; i < count; ++i) {
      const double* m = row_of(M, first + i);
      out.push_back(std::sqrt(std::max(0.0, inner_product(row_of(rest, i), row_of(moved, i), M.cols()))) +
                    rounding * std::sqrt(coordinates(first + i, coordinates.cols() - 1)) +
                    of_terms * std::sqrt(inner_product(m, m, M.cols())));
    }
  }
  return out;
}

/// The length of some numbers of a row.
double length_of(const Matrix& A, Index row, Index first, Index last) {
  const double* numbers = row_of(A, row);
  return std::sqrt(inner_product(numbers + first, numbers + first, last - first));
}

/// What some inputs cost with each rank: products, and inner products of the candidates that are left.
class Pilot {
 public:
  Pilot(const Screen& screen, const InputCoordinates& inputs, Index input_count, Index count, const Matrix& A, const Matrix& all)
      : screen_(screen), all_(all), count_(count) {
    const std::vector<Index> rows = spread(input_count, pilot_rows);
    const Matrix t = inputs.picked(rows);
    lengths_ = inputs.lengths(rows, t.view());
    scores_ = Matrix(t.rows(), screen.M.rows());
    z_ = Matrix(t.rows(), A.cols());
    gemm(-2.0, t.view(), transposed(screen.M.view()), 0.0, scores_.view());
    gemm(1.0, t.view(), A.view(), 0.0, z_.view());
    for (Index i = 0; i < t.rows(); ++i) {
      for (Index j = 0; j < scores_.cols(); ++j) scores_(i, j) += screen.norms[at(j)];
    }
  }

  /// rest: the lengths of what this rank leaves out of each candidate.
  double cost(Index rank, Index looks, const std::vector<double>& rest) const {
    const Index c = scores_.cols();
    const double s = static_cast<double>(screen_.M.cols());
    std::vector<double> between(at(c)), bounds(at(c)), uppers(at(c));
    for (Index j = 0; j < c; ++j) between[at(j)] = length_of(all_, j, looks, rank);
    double extra = 0.0;
    for (Index i = 0; i < scores_.rows(); ++i) {
      const double length = length_of(z_, i, looks, rank);
      for (std::size_t j = 0; j < bounds.size(); ++j) bounds[j] = 2.0 * (lengths_[at(i)] * rest[j] + length * between[j]);
      extra += (found + static_cast<double>(rank) * of_survivor) * static_cast<double>(left(i, bounds, uppers));
      for (std::size_t j = 0; j < bounds.size(); ++j) bounds[j] = 2.0 * lengths_[at(i)] * rest[j];
      const Index scored = left(i, bounds, uppers);
      if (scored > 1) extra += s * (picked_value + of_survivor * static_cast<double>(scored));
    }
    return static_cast<double>(rank) * s + static_cast<double>(looks + 2) * static_cast<double>(c) +
           extra / static_cast<double>(scores_.rows());
  }

 private:
  /// How many may be among the best.
  Index left(Index i, const std::vector<double>& bounds, std::vector<double>& uppers) const {
    const double* scores = row_of(scores_, i);
    for (std::size_t j = 0; j < bounds.size(); ++j) uppers[j] = scores[j] + bounds[j];
    const auto last = uppers.begin() + (count_ - 1);
    std::nth_element(uppers.begin(), last, uppers.end());
    const double limit = *last;
    Index out = 0;
    for (std::size_t j = 0; j < bounds.size(); ++j) out += scores[j] - bounds[j] <= limit ? 1 : 0;
    return out;
  }

  const Screen& screen_;
  const Matrix& all_;
  Index count_;
  Matrix scores_, z_;
  std::vector<double> lengths_;
};

/// The rank and the looks that cost least; a rank of 0: the direct way does.
std::pair<Index, Index> cheapest(const Pilot& pilot, const Matrix& all, double direct) {
  const Index c = all.rows(), most = all.cols() - 1;
  std::vector<double> squares(at(c)), rest(at(c));
  for (Index j = 0; j < c; ++j) squares[at(j)] = all(j, most);
  std::pair<Index, Index> best{0, 0};
  double least = direct;
  for (Index rank = 1; rank <= most; ++rank) {
    for (Index j = 0; j < c; ++j) squares[at(j)] -= all(j, rank - 1) * all(j, rank - 1);
    if (rank % rank_step != 0 && rank != most) continue;
    poll_stop();
    for (Index j = 0; j < c; ++j) rest[at(j)] = std::sqrt(std::max(squares[at(j)], 0.0));
    for (const Index part : {rank / 4, rank / 2, rank}) {
      const Index looks = std::min(rank, part / rank_step * rank_step + rank_step - 2);
      const double cost = pilot.cost(rank, looks, rest);
      if (cost < least) least = cost, best = {rank, looks};
    }
  }
  return best;
}

}  // namespace

InputCoordinates::InputCoordinates(const View& model, const CrossSource& inputs)
    : model_(model), inputs_(inputs), by_kernel_(!inputs.stored() && model.input_factor.empty()) {}

Matrix InputCoordinates::metric() const {
  if (!by_kernel_) return {};
  Matrix K(count(), count());
  full(inputs_.kernel(), inputs_.training(), K.view());
  return K;
}

Matrix InputCoordinates::in_factor(Matrix cross) const {
  if (!model_.input_factor.empty()) solve_lower(model_.input_factor, transposed(cross.view()));
  return cross;
}

Matrix InputCoordinates::picked(const std::vector<Index>& rows) const {
  if (inputs_.stored()) return in_factor(gramian::picked(inputs_.cross(), rows));
  const PickedRows points(PointSource(inputs_.fresh()), rows);
  Matrix cross(static_cast<Index>(rows.size()), count());
  full(inputs_.kernel(), points.points(), inputs_.training(), cross.view());
  return in_factor(std::move(cross));
}

std::vector<double> InputCoordinates::lengths(const std::vector<Index>& rows, MatrixView<const double> t) const {
  Matrix squares(t.rows(), 1);
  if (by_kernel_) {
    const PickedRows points(PointSource(inputs_.fresh()), rows);
    paired(inputs_.kernel(), points.points(), points.points(), squares.view());
  } else {
    for (Index i = 0; i < t.rows(); ++i)
      squares(i, 0) = inner_product(t.data() + i * t.row_stride(), t.data() + i * t.row_stride(), t.cols());
  }
  std::vector<double> out;
  for (Index i = 0; i < t.rows(); ++i) out.push_back(std::sqrt(std::max(0.0, squares(i, 0))));
  return out;
}

void InputCoordinates::write_lengths(const Points& some, MatrixView<double> squares) const {
  paired(inputs_.kernel(), some, some, squares);
  for (Index i = 0; i < squares.rows(); ++i) squares(i, 0) = std::sqrt(std::max(0.0, squares(i, 0)));
}

void InputCoordinates::project(Index first, MatrixView<const double> A, MatrixView<double> out) const {
  const Index rows = out.rows(), r = A.cols();
  const MatrixView<double> projected = part(out, 0, rows, 0, r), squares = part(out, 0, rows, r, 1);
  if (by_kernel_) {
    const Points some = rows_of(inputs_.fresh(), first, rows);
    product(inputs_.kernel(), some, inputs_.training(), A, projected);
    return write_lengths(some, squares);
  }
  Scratch scratch;
  const Matrix t = in_factor(Matrix::copy_of(rows_of(inputs_, first, rows, scratch)));
  gemm(1.0, t.view(), A, 0.0, projected);
  for (Index i = 0; i < rows; ++i) squares(i, 0) = std::sqrt(inner_product(row_of(t, i), row_of(t, i), t.cols()));
}

void InputCoordinates::project(Index first, const KernelExpansion& A, MatrixView<double> out) const {
  const Index rows = out.rows(), r = A.outputs();
  const Points some = rows_of(inputs_.fresh(), first, rows);
  A.apply(some, part(out, 0, rows, 0, r));
  write_lengths(some, part(out, 0, rows, r, 1));
}

double cost_of_scores(const View& model, Index inputs, Index candidates) {
  const double values = static_cast<double>(candidates) * static_cast<double>(model.outputs());
  return fresh_value * values + static_cast<double>(inputs) * direct_cost(model, candidates);
}

double cost_of_screen(const View& model, Index candidates) {
  const double c = static_cast<double>(candidates), s = static_cast<double>(model.inputs()),
               o = static_cast<double>(model.outputs()), m = std::min(c, static_cast<double>(together));
  return c * s * (o + 2.0 * s) + 10.0 * m * m * m + kernel_value * s * s + static_cast<double>(pilot_rows) * s * c;
}

bool too_many_for_screen(const View& model, Index candidates) {
  return checked_product(candidates, std::max(model.inputs(), model.outputs())) > most_numbers;
}

bool worth_screening(const View& model, Index inputs, Index candidates) {
  if (too_many_for_screen(model, candidates)) return false;
  return static_cast<double>(inputs) * direct_cost(model, candidates) > 2.0 * cost_of_screen(model, candidates);
}

Screen make_screen(const View& model, const InputCoordinates& inputs, Index input_count, const CrossSource& candidates,
                   Index count) {
  Screen screen;
  take_candidates(model, candidates, count == 1, screen);
  if (!all_finite(screen.M.view())) return screen;
  const Matrix metric = inputs.metric(), A = directions_of(screen.M, metric.view()),
               all = coordinates_in(screen.M, metric.view(), A);
  const Pilot pilot(screen, inputs, input_count, count, A, all);
  const Index c = screen.M.rows();
  const auto [rank, looks] = cheapest(pilot, all, direct_cost(model, c));
  if (rank == 0) return screen;
  screen.looks = looks;
  screen.A = Matrix::copy_of(part(A.view(), 0, A.rows(), 0, rank));
  screen.B = Matrix::copy_of(part(all.view(), 0, c, 0, rank));
  const std::vector<double> rest = rest_of(screen.M, metric.view(), screen.A, screen.B, all);
  screen.first = Matrix(c, looks + 2);
  for (Index j = 0; j < c; ++j) {
    std::copy_n(row_of(screen.B, j), looks, &screen.first(j, 0));
    screen.first(j, looks) = length_of(screen.B, j, looks, rank);
    screen.first(j, looks + 1) = rest[at(j)];
  }
  return screen;
}

}  // namespace gramian::dependency
