// SPDX-License-Identifier: BSD-3-Clause
#include "io/file.hpp"

#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>

#include "support/check.hpp"
#include "support/model_files.hpp"

#if !defined(_WIN32)
#include <sys/stat.h>
#include <unistd.h>
#endif

using namespace gramian;
using support::content_of;
using support::Folder;
using support::put;
using support::says;

namespace {

using Replace = void (*)(const std::string&, FunctionRef<void(io::Write)>);

constexpr Replace ways[] = {&io::replace_file, &io::replace_file_portable};

void put_by(Replace replace, const std::string& path, const std::string& content) {
  replace(path, [&](io::Write write) {
    // In two parts, as documents do.
    const auto half = static_cast<Index>(content.size() / 2);
    write(content.data(), half);
    write(content.data() + half, static_cast<Index>(content.size()) - half);
  });
}

std::string read_by(std::unique_ptr<io::InputFile> (*open)(const std::string&), const std::string& path) {
  const auto file = open(path);
  std::string content(static_cast<std::size_t>(file->size()), '\0');
  file->read(content.data(), file->size());
  return content;
}

}  // namespace

TEST(a_file_is_made_and_replaced) {
  for (const Replace replace : ways) {
    const Folder folder;
    const std::string path = folder / "model";
    put_by(replace, path, "old");
    CHECK_EQ(content_of(path), "old");
    put_by(replace, path, "new one");
    CHECK_EQ(read_by(&io::open_file, path), "new one");
    CHECK_EQ(read_by(&io::open_file_portable, path), "new one");
    CHECK_EQ(folder.entries(), 1u);
  }
}

TEST(a_failure_while_writing_leaves_the_old_file_and_nothing_else) {
  for (const Replace replace : ways) {
    const Folder folder;
    const std::string path = folder / "model";
    put(path, "old");
    const auto fail = [](io::Write write) {
      write("half", 4);
      throw std::runtime_error("no more");
    };
    CHECK_THROWS(std::runtime_error, replace(path, fail));
    CHECK_THROWS(std::runtime_error, replace(folder / "other", fail));
    CHECK_EQ(content_of(path), "old");
    CHECK_EQ(folder.entries(), 1u);
  }
}

TEST(what_the_system_refuses_names_the_path) {
  const Folder folder;
  const std::string inside = folder / "none/model", folder_itself = folder / "";
  for (const Replace replace : ways) {
    CHECK(says<FileError>("write " + inside, [&] { put_by(replace, inside, "x"); }));
    CHECK_THROWS(FileError, put_by(replace, folder_itself, "x"));
    try {
      put_by(replace, inside, "x");
    } catch (const FileError& error) {
      CHECK(error.code() == std::errc::no_such_file_or_directory);
      CHECK_EQ(error.path(), inside);
    }
  }
  for (const auto open : {&io::open_file, &io::open_file_portable}) {
    CHECK(says<FileError>("open " + inside, [&] { open(inside); }));
  }
  CHECK_EQ(folder.entries(), 0u);
}

TEST(a_file_that_becomes_shorter_is_noticed) {
  for (const auto open : {&io::open_file, &io::open_file_portable}) {
    const Folder folder;
    const std::string path = folder / "model";
    put(path, "0123456789");
    const auto file = open(path);
    std::filesystem::resize_file(path, 5);
    char bytes[10];
    CHECK_THROWS(ModelFileError, file->read(bytes, 10));
  }
}

TEST(temporary_names_differ) {
  std::set<std::string> names;
  for (int k = 0; k < 1000; ++k) names.insert(io::temporary_name());
  CHECK_EQ(names.size(), 1000u);
  CHECK_EQ(names.begin()->size(), 29u);
}

#if !defined(_WIN32)

TEST(a_link_stays_and_its_target_is_replaced) {
  for (const Replace replace : ways) {
    const Folder folder;
    std::filesystem::create_directory(folder / "there");
    put(folder / "there/model", "old");
    std::filesystem::create_symlink("there/model", folder / "link");
    std::filesystem::create_symlink(folder / "link", folder / "second");
    put_by(replace, folder / "second", "new");
    CHECK(std::filesystem::is_symlink(folder / "link") && std::filesystem::is_symlink(folder / "second"));
    CHECK_EQ(content_of(folder / "there/model"), "new");
    std::filesystem::remove(folder / "there/model");
    put_by(replace, folder / "link", "made");
    CHECK_EQ(content_of(folder / "there/model"), "made");
  }
}

TEST(links_in_a_circle_are_refused) {
  const Folder folder;
  std::filesystem::create_symlink("b", folder / "a");
  std::filesystem::create_symlink("a", folder / "b");
  for (const Replace replace : ways) CHECK_THROWS(FileError, put_by(replace, folder / "a", "x"));
  CHECK_EQ(folder.entries(), 2u);
}

TEST(permissions_stay_and_new_files_follow_the_mask) {
  const Folder folder;
  const std::string path = folder / "model";
  const auto mode_of = [&path] {
    struct stat status{};
    CHECK_EQ(::stat(path.c_str(), &status), 0);
    return static_cast<unsigned>(status.st_mode & 07777);
  };
  const mode_t mask = ::umask(027);
  put_by(&io::replace_file, path, "x");
  CHECK_EQ(mode_of(), 0640u);
  for (const mode_t mode : {0600u, 0664u, 0755u}) {
    ::chmod(path.c_str(), mode);
    put_by(&io::replace_file, path, "y");
    CHECK_EQ(mode_of(), mode);
  }
  ::umask(mask);
}

TEST(pipes_and_devices_are_neither_read_nor_replaced) {
  const Folder folder;
  const std::string path = folder / "pipe";
  CHECK_EQ(::mkfifo(path.c_str(), 0600), 0);
  for (const Replace replace : ways) CHECK_THROWS(FileError, put_by(replace, path, "x"));
  for (const auto open : {&io::open_file, &io::open_file_portable}) {
    CHECK(says("no regular file", [&] { open(path); }));
    CHECK(says("no regular file", [&] { open("/dev/null"); }));
  }
  CHECK_THROWS(FileError, put_by(&io::replace_file, "/dev/null", "x"));
  CHECK(std::filesystem::is_fifo(path) && std::filesystem::is_character_file("/dev/null"));
  CHECK_EQ(folder.entries(), 1u);
}

#endif

TEST_MAIN
