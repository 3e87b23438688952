// Assembles the bytes of a connection into frames.
//
// Used by one thread. A frame that is larger than one read is read into its final memory: nothing of it is copied. Of a
// frame that is too large only the first bytes are kept, and the rest is dropped as it comes.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace fensi::hbase {

/// The bytes of one answer; shared by all views into them.
struct FrameBytes {
  std::shared_ptr<const char[]> owner;
  size_t size = 0;
  size_t too_large = 0;  // not 0: the length of an answer that is too large. These are its first bytes
  std::string_view view() const { return {owner.get(), size}; }
};

class FrameAssembler {
 public:
  /// A frame up to `most_dropped` bytes that is larger than `most_bytes` is dropped.
  FrameAssembler(size_t most_bytes, size_t most_dropped)
      : most_bytes_(most_bytes), most_dropped_(most_dropped), staged_(kStagedBytes) {}

  /// The memory for the next bytes; never empty.
  std::span<char> Space();
  /// This many bytes were read; appends the complete frames, and the begin of one that is dropped. kRejected: a frame
  /// is larger than any of HBase's.
  Status Take(size_t bytes, std::vector<FrameBytes>* frames);
  /// True between two frames.
  bool AtStart() const { return large_.owner == nullptr && filled_ == 0 && to_drop_ == 0; }
  /// Gives the memory back. It must not be used afterwards.
  void Release();

 private:
  static constexpr size_t kStagedBytes = 64 << 10;

  Status Cut(std::vector<FrameBytes>* frames);
  Status CheckLength(size_t length) const;

  const size_t most_bytes_;
  const size_t most_dropped_;
  std::vector<char> staged_;
  size_t filled_ = 0;  // of staged_
  // The current frame, if it does not fit into staged_.
  std::shared_ptr<char[]> large_bytes_;
  FrameBytes large_;
  size_t large_filled_ = 0;
  size_t to_drop_ = 0;  // bytes that are still to come of a frame that is dropped
};

}  // namespace fensi::hbase
