// Memory for what functions make out of a row, reused from event to event.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fensi::mapping {

/// Grows to the largest row seen and then allocates no more. Pieces do not move and live until Reset. Not thread-safe.
class Scratch {
 public:
  void Reset() {
    block_ = 0;
    used_ = 0;
    lists_used_ = 0;
  }

  char* Allocate(size_t bytes);

  /// An empty list whose memory is reused after Reset.
  std::vector<std::string_view>* NewList();

  /// Why the last function could not do its work: "\"x7\" is not a whole number".
  std::string reason;

 private:
  struct Block {
    std::unique_ptr<char[]> bytes;
    size_t size = 0;
  };
  std::vector<Block> blocks_;
  size_t block_ = 0;
  size_t used_ = 0;
  std::vector<std::unique_ptr<std::vector<std::string_view>>> lists_;
  size_t lists_used_ = 0;
};

}  // namespace fensi::mapping
