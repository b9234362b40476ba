// SPDX-License-Identifier: BSD-3-Clause
// Words read from noisy measurements of their letters, without Python: inputs are vectors, outputs strings of different lengths.
// A letter can't be told from its own measurement alone; which letters follow each other helps.
#include <cstdio>
#include <string>
#include <vector>

#include "gramian/gramian.hpp"

namespace {

using gramian::Index;
using gramian::MatrixView;

constexpr Index positions = 5, letters = 4, measured = 2;
const char* const words[] = {"abcd", "abba", "dada", "cab", "bad", "cdcdc", "acdb", "dbacb"};
// Where the measurements of a, b, c and d lie: close to each other, compared with the noise.
const double centres[letters][measured] = {{1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, -1.0}};

struct Samples {
  std::vector<double> measurements;  // positions times measured numbers for each word, 0 beyond its end
  std::vector<double> features;      // positions times letters numbers: 1 for the letter that stands there
  std::vector<std::string> names;
};

Samples draw(Index count, std::uint64_t seed) {
  const gramian::RandomStream random(seed);
  Samples out;
  std::uint64_t next = 0;
  for (Index i = 0; i < count; ++i) {
    const std::string word = words[static_cast<std::size_t>(8.0 * random.uniform(next++)) % 8];
    out.names.push_back(word);
    for (Index p = 0; p < positions; ++p) {
      const bool there = p < static_cast<Index>(word.size());
      const Index letter = there ? word[static_cast<std::size_t>(p)] - 'a' : -1;
      for (Index c = 0; c < measured; ++c) {
        out.measurements.push_back(there ? centres[letter][c] + 0.6 * random.normal(next++) : 0.0);
      }
      for (Index s = 0; s < letters; ++s) out.features.push_back(s == letter ? 1.0 : 0.0);
    }
  }
  return out;
}

std::string text(const Index* symbols) {
  std::string out;
  for (Index p = 0; p < positions && symbols[p] >= 0; ++p) out += static_cast<char>('a' + symbols[p]);
  return out;
}

/// Part of the words of which every letter is right.
double right(const std::vector<Index>& sequences, const Samples& truth) {
  Index count = 0;
  for (std::size_t i = 0; i < truth.names.size(); ++i) {
    count += text(sequences.data() + i * static_cast<std::size_t>(positions)) == truth.names[i] ? 1 : 0;
  }
  return static_cast<double>(count) / static_cast<double>(truth.names.size());
}

/// Each letter by the nearest centre: what can be done without the words.
std::vector<Index> letter_by_letter(const Samples& samples) {
  std::vector<Index> out;
  for (std::size_t at = 0; at < samples.measurements.size(); at += measured) {
    const double* x = samples.measurements.data() + at;
    Index best = -1;
    for (Index s = 0; s < letters && (x[0] != 0.0 || x[1] != 0.0); ++s) {
      if (best < 0 || x[0] * centres[s][0] + x[1] * centres[s][1] > x[0] * centres[best][0] + x[1] * centres[best][1]) best = s;
    }
    out.push_back(best);
  }
  return out;
}

}  // namespace

int main() {
  const Index training = 400, fresh = 200;
  const Samples known = draw(training, 1), unknown = draw(fresh, 2);
  const MatrixView<const double> X(known.measurements.data(), training, positions * measured);
  const MatrixView<const double> Y(known.features.data(), training, positions * letters);
  const MatrixView<const double> Z(unknown.measurements.data(), fresh, positions * measured);
  const gramian::Kernel k("gaussian", {0.15}), l("linear", {});

  gramian::dependency::Options options;
  options.output_operator = gramian::ConditionalOperator{0.1};
  options.lambdas = {1e-3, 1e-2, 1e-1, 1.0};
  const gramian::dependency::Fit fit = gramian::dependency::fit({k, gramian::Points(X)}, {l, gramian::Points(Y)}, options);

  // g(x) = sum_j w_j(x) phi(y_j): the nearest of all strings, letter by letter.
  gramian::dependency::Parts parts = gramian::dependency::parts_of(
      fit.model, k, gramian::Samples::copy_of(X), l, gramian::Samples::copy_of(Y), gramian::dependency::Preimage::sequence);
  for (const char* letter : {"a", "b", "c", "d"}) parts.symbols.emplace_back(std::string(letter));
  const gramian::dependency::Predictor reader(parts);
  const std::vector<Index> read = reader.sequences(Z, {});

  const double accuracy = right(read, unknown), alone = right(letter_by_letter(unknown), unknown);
  std::printf("gramian %s: %lld words to learn from, lambda %g by leave-one-out\n", gramian::build_report().version.c_str(),
              static_cast<long long>(training), fit.lambda);
  for (std::size_t i = 0; i < 3; ++i) {
    std::printf("%s read as %s\n", unknown.names[i].c_str(), text(read.data() + i * static_cast<std::size_t>(positions)).c_str());
  }
  std::printf("of %lld new words %.1f %% are right in every letter; %.1f %% if each letter is read by itself\n",
              static_cast<long long>(fresh), 100.0 * accuracy, 100.0 * alone);
  return accuracy > 2.0 * alone ? 0 : 1;
}
