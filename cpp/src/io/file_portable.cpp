// SPDX-License-Identifier: BSD-3-Clause
// Files by the standard library: on Windows, and in tests everywhere.
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "gramian/base/error.hpp"
#include "io/file.hpp"

namespace gramian::io {
namespace {

namespace fs = std::filesystem;

constexpr int attempts = 100;   // to find a name that is free
constexpr int most_links = 40;  // from a symbolic link to the next one

std::error_code last_error() { return {errno == 0 ? EIO : errno, std::generic_category()}; }

class StreamInput final : public InputFile {
 public:
  StreamInput(const std::string& path, Index size) : path_(path), size_(size) {
    errno = 0;
    stream_.open(fs::u8path(path), std::ios::binary);
    if (!stream_) throw FileError(last_error(), "open", path);
  }
  Index size() const override { return size_; }
  void read(void* out, Index bytes) override {
    errno = 0;
    stream_.read(static_cast<char*>(out), bytes);
    if (stream_.bad()) throw FileError(last_error(), "read", path_);
    if (stream_.gcount() != bytes) throw ModelFileError("the file has become shorter while it was read");
  }

 private:
  std::string path_;
  Index size_;
  std::ifstream stream_;
};

/// Removes the file unless it was kept.
class Temporary {
 public:
  explicit Temporary(fs::path path) : path_(std::move(path)) {}
  ~Temporary() {
    std::error_code ignored;
    if (!kept_) fs::remove(path_, ignored);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  void keep() { kept_ = true; }

 private:
  fs::path path_;
  bool kept_ = false;
};

fs::path free_name(const fs::path& folder, const std::string& path) {
  for (int k = 0; k < attempts; ++k) {
    fs::path name = folder / temporary_name();
    std::error_code error;
    if (!fs::exists(name, error)) return name;
  }
  throw FileError(std::make_error_code(std::errc::file_exists), "make a temporary file beside", path);
}

/// What a chain of symbolic links leads to; it need not be there.
fs::path target_of(const std::string& path) {
  fs::path target = fs::u8path(path);
  std::error_code ignored;
  for (int k = 0; fs::is_symlink(target, ignored); ++k) {
    if (k == most_links) throw FileError(std::make_error_code(std::errc::too_many_symbolic_link_levels), "write", path);
    target = target.parent_path() / fs::read_symlink(target, ignored);  // an absolute link replaces all before it
  }
  return target;
}

}  // namespace

std::unique_ptr<InputFile> open_file_portable(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(fs::u8path(path), error);
  if (!fs::exists(status))
    throw FileError(error ? error : std::make_error_code(std::errc::no_such_file_or_directory), "open", path);
  if (!fs::is_regular_file(status)) throw ModelFileError("this is no regular file");
  const auto size = static_cast<Index>(fs::file_size(fs::u8path(path), error));
  if (error) throw FileError(error, "open", path);
  return std::make_unique<StreamInput>(path, size);
}

void replace_file_portable(const std::string& path, FunctionRef<void(Write)> fill) {
  std::error_code error;
  const fs::path target = target_of(path);
  const fs::file_status status = fs::status(target, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw FileError(std::make_error_code(fs::is_directory(status) ? std::errc::is_a_directory : std::errc::not_supported),
                    "write", path);
  }
  const fs::path beside = free_name(target.parent_path(), path);
  errno = 0;
  std::ofstream stream(beside, std::ios::binary | std::ios::trunc);
  if (!stream) throw FileError(last_error(), "write", path);
  Temporary temporary(beside);
  fill([&](const void* bytes, Index size) {
    errno = 0;
    if (!stream.write(static_cast<const char*>(bytes), size)) throw FileError(last_error(), "write", path);
  });
  errno = 0;
  stream.close();
  if (!stream) throw FileError(last_error(), "write", path);
  fs::rename(beside, target, error);
  if (error) throw FileError(error, "write", path);
  temporary.keep();
}

#if defined(_WIN32)
std::unique_ptr<InputFile> open_file(const std::string& path) { return open_file_portable(path); }
void replace_file(const std::string& path, FunctionRef<void(Write)> fill) { replace_file_portable(path, fill); }
#endif

}  // namespace gramian::io
