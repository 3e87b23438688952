// The bytes of a packed file, unpacked as they come: gzip and zstd, also of several pieces one behind the other.
//
// Not thread-safe; never blocks. Memory is bounded, whatever the file says.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "base/status.h"

namespace fensi::consumer {

class Unpacker {
 public:
  /// So many bytes tell what a file is.
  static constexpr size_t kBytesToKnow = 4;
  /// For a file that begins so; null: nothing that is unpacked here.
  static std::unique_ptr<Unpacker> For(std::string_view begin);

  virtual ~Unpacker() = default;
  /// Takes bytes from the front of `packed` and writes at most `room` of what they were made of; answers how many.
  /// None, and nothing taken: more packed bytes are needed. kInvalidArgument: they are broken.
  virtual Result<size_t> Unpack(std::string_view* packed, char* out, size_t room) = 0;
  /// The file may end here.
  virtual bool whole() const = 0;
};

}  // namespace fensi::consumer
