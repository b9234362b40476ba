// SPDX-License-Identifier: BSD-3-Clause
// How long does one prediction take a C++ program? `one_row FILE m width_0 .. width_L`: layers of Gaussian kernels in a file of
// float64 numbers, one after the other: x, then of each layer gamma, its supports (m x width_{l-1}) and its coefficients (m x
// width_l). Prints the median in microseconds, and the prediction.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <vector>

#include <gramian/gramian.hpp>

using namespace gramian;

namespace {

constexpr int calls = 5001;

class Numbers {
 public:
  explicit Numbers(const char* path) : file_(path, std::ios::binary) {}
  Matrix matrix(Index rows, Index cols) {
    Matrix out(rows, cols);
    file_.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(out.size() * 8));
    if (!file_) throw std::runtime_error("the file ends too early");
    return out;
  }

 private:
  std::ifstream file_;
};

/// Median of the calls, in microseconds.
template <class Call>
double median(const Call& call) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  for (int i = 0; i < calls; ++i) {
    const auto begin = Clock::now();
    call();
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
  }
  std::nth_element(times.begin(), times.begin() + calls / 2, times.end());
  return times[calls / 2];
}

void run(int argc, char** argv) {
  if (argc < 5) throw std::runtime_error("usage: one_row FILE m width_0 width_1 ..");
  const Index m = std::atol(argv[2]);
  std::vector<Index> widths;
  for (int i = 3; i < argc; ++i) widths.push_back(std::atol(argv[i]));
  Numbers file(argv[1]);
  const Matrix x = file.matrix(1, widths.front());
  std::vector<SupportedLayer> layers;
  for (std::size_t l = 1; l < widths.size(); ++l) {
    const Kernel kernel("gaussian", {file.matrix(1, 1)(0, 0)});
    SharedMatrix supports(file.matrix(m, widths[l - 1])), coefficients(file.matrix(m, widths[l]));
    layers.push_back({KernelLayer::scalar(kernel, widths[l], 0.0), coefficients, supports});
  }
  const Index depth = static_cast<Index>(layers.size());
  Matrix out(1, widths.back());
  double microseconds = 0.0;
  if (depth == 1) {
    const KernelExpansion expansion(layers[0].layer.terms[0].kernel, layers[0].supports, layers[0].coefficients);
    microseconds = median([&] { expansion.apply(Points(x.view()), out.view()); });
  } else {
    const LayeredMap map(std::move(layers));
    microseconds = median([&] { map.apply(1, depth, Points(x.view()), out.view()); });
  }
  std::printf("%.4f", microseconds);
  for (Index c = 0; c < out.cols(); ++c) std::printf(" %.17g", out(0, c));
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
