// SPDX-License-Identifier: BSD-3-Clause
// A checkpoint in a file, which is replaced as a whole each time: a process that is killed leaves the last one.
#pragma once

#include <optional>
#include <string>

#include "gramian/base/checkpoint.hpp"

namespace gramian::io {

/// The container is that of io/document.hpp. Arrays have the bits that they had.
class GRAMIAN_API CheckpointFile final : public Checkpoint {
 public:
  /// Goes on from the file at `path`, if there is one; it has to be of the same problem, and of this version of the library.
  /// problem: a text, UTF-8, of all that the computation depends on. Throws std::invalid_argument for another problem or version,
  /// ModelFileError for what is not a checkpoint, FileError.
  CheckpointFile(std::string path, std::string problem, const CheckpointPace& pace = {});

  /// Whether there was a file to go on from.
  bool resumed() const { return resumed_; }
  /// Removes the file, if there is one. Throws FileError.
  void remove();

 private:
  void write(const Parts& parts) override;

  std::string path_, problem_;
  bool resumed_ = false;
};

/// The problem that the checkpoint at `path` is of; none if there is no file. Throws as the constructor does.
GRAMIAN_API std::optional<std::string> problem_of_checkpoint(const std::string& path);

}  // namespace gramian::io
