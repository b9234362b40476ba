// SPDX-License-Identifier: BSD-3-Clause
// Files of POSIX systems.
#if !defined(_WIN32)

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <utility>

#include "gramian/base/error.hpp"
#include "io/file.hpp"

namespace gramian::io {
namespace {

constexpr int attempts = 100;                   // to find a name that is free
constexpr int most_links = 40;                  // from a symbolic link to the next one
constexpr Index most_at_once = Index(1) << 30;  // some systems refuse to read or write more than 2^31 bytes

[[noreturn]] void fail(int error, const char* attempt, const std::string& path) {
  throw FileError(std::error_code(error, std::generic_category()), attempt, path);
}

/// Calls a function of the system again for as long as signals interrupt it.
template <class F>
auto uninterrupted(F&& f) {
  auto result = f();
  while (result < 0 && errno == EINTR) result = f();
  return result;
}

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  explicit operator bool() const { return number_ >= 0; }
  int number() const { return number_; }
  int close() { return ::close(std::exchange(number_, -1)); }

 private:
  int number_;
};

Descriptor open_descriptor(const std::string& path, int flags, mode_t mode = 0) {
  return Descriptor(uninterrupted([&] { return ::open(path.c_str(), flags | O_CLOEXEC, mode); }));
}

class PosixInput final : public InputFile {
 public:
  explicit PosixInput(const std::string& path) : path_(path), file_(open_descriptor(path, O_RDONLY | O_NONBLOCK)) {
    if (!file_) fail(errno, "open", path);
    struct stat status{};
    if (::fstat(file_.number(), &status) != 0) fail(errno, "open", path);
    if (S_ISDIR(status.st_mode)) fail(EISDIR, "open", path);
    if (!S_ISREG(status.st_mode)) throw ModelFileError("this is no regular file");
    size_ = status.st_size;
  }
  Index size() const override { return size_; }
  void read(void* out, Index bytes) override {
    for (char* at = static_cast<char*>(out); bytes > 0;) {
      const auto wanted = static_cast<std::size_t>(std::min(bytes, most_at_once));
      const ssize_t count = uninterrupted([&] { return ::read(file_.number(), at, wanted); });
      if (count < 0) fail(errno, "read", path_);
      if (count == 0) throw ModelFileError("the file has become shorter while it was read");
      at += count;
      bytes -= count;
    }
  }

 private:
  std::string path_;
  Descriptor file_;
  Index size_ = 0;
};

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// What a chain of symbolic links leads to; it need not be there.
std::string target_of(std::string path) {
  const std::string asked = path;
  for (int k = 0; k < most_links; ++k) {
    char link[PATH_MAX];
    const ssize_t length = ::readlink(path.c_str(), link, sizeof link);
    if (length < 0 && (errno == EINVAL || errno == ENOENT)) return path;  // no link
    if (length < 0) fail(errno, "write", asked);
    const std::string next(link, static_cast<std::size_t>(length));
    path = next.front() == '/' ? next : folder_of(path) + "/" + next;
  }
  fail(ELOOP, "write", asked);
}

/// The file that is written, until it has the name of the old one. Messages speak of `asked`.
class Replacement {
 public:
  Replacement(std::string target, const std::string& asked) : target_(std::move(target)), asked_(asked) {
    exists_ = ::stat(target_.c_str(), &old_) == 0;
    if (!exists_ && errno != ENOENT) fail(errno, "write", asked_);
    if (exists_ && S_ISDIR(old_.st_mode)) fail(EISDIR, "write", asked_);
    if (exists_ && !S_ISREG(old_.st_mode)) fail(ENOTSUP, "write", asked_);  // a device would be lost
    if (exists_ && ::access(target_.c_str(), W_OK) != 0) fail(errno, "write", asked_);
    create();
  }
  ~Replacement() {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
  }
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  void write(const void* bytes, Index size) {
    for (const char* at = static_cast<const char*>(bytes); size > 0;) {
      const auto wanted = static_cast<std::size_t>(std::min(size, most_at_once));
      const ssize_t count = uninterrupted([&] { return ::write(file_.number(), at, wanted); });
      if (count < 0) fail(errno, "write", asked_);
      at += count;
      size -= count;
    }
  }

  void commit() {
    if (exists_) take_permissions();
    if (uninterrupted([&] { return ::fsync(file_.number()); }) != 0) fail(errno, "write", asked_);
    if (file_.close() != 0 && errno != EINTR) fail(errno, "write", asked_);
    if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno, "write", asked_);
    temporary_.clear();
    synchronise_folder();
  }

 private:
  void create() {
    const std::string folder = folder_of(target_);
    for (int k = 0; k < attempts && !file_; ++k) {
      std::string name = (folder == "/" ? "" : folder) + "/" + temporary_name();
      // What replaces a file is no more open than that one; a new file is what the user's mask says.
      file_ = open_descriptor(name, O_WRONLY | O_CREAT | O_EXCL, exists_ ? S_IRUSR | S_IWUSR : 0666);
      if (file_) temporary_ = std::move(name);
      if (!file_ && errno != EEXIST) break;
    }
    if (!file_) fail(errno, "write", asked_);
  }

  /// The owner stays where the system lets it.
  void take_permissions() {
    const bool same = old_.st_uid == ::geteuid() && old_.st_gid == ::getegid();
    const bool given = same || ::fchown(file_.number(), old_.st_uid, old_.st_gid) == 0;
    // Rights to act as the owner or the group are not passed on to another one.
    const mode_t rights = given ? 07777 : 0777;
    if (::fchmod(file_.number(), old_.st_mode & rights) != 0) fail(errno, "write", asked_);
  }

  /// The new name survives a loss of power. Some file systems can't, and some folders may not be opened: then it may not.
  void synchronise_folder() {
    const Descriptor folder = open_descriptor(folder_of(target_), O_RDONLY | O_DIRECTORY);
    if (!folder) return;
    if (uninterrupted([&] { return ::fsync(folder.number()); }) != 0 && errno == EIO)
      fail(errno, "synchronise the folder of", asked_);
  }

  std::string target_, asked_, temporary_;
  struct stat old_{};
  bool exists_ = false;
  Descriptor file_;
};

}  // namespace

std::unique_ptr<InputFile> open_file(const std::string& path) { return std::make_unique<PosixInput>(path); }

void replace_file(const std::string& path, FunctionRef<void(Write)> fill) {
  Replacement file(target_of(path), path);
  fill([&](const void* bytes, Index size) { file.write(bytes, size); });
  file.commit();
}

}  // namespace gramian::io

#endif
