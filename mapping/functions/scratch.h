// Memory for the results of functions of a row, reused from event to event.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fensi::mapping {

/// Maximum size of a value that a chain of functions may make, and of a row; larger ones are unmappable. HBase accepts
/// no value of a third of it.
constexpr size_t kMostValueBytes = size_t{32} << 20;
constexpr size_t kMostScratchBytes = size_t{256} << 20;

/// Instructions of regular expressions times their bytes: of one value, and of a row per derivation. A stop waits for
/// them.
constexpr size_t kMostValueSteps = 100'000'000;
constexpr size_t kMostRowSteps = 250'000'000;

/// Grows to the largest row seen and then allocates no more. Pieces do not move and live until Reset. Not thread-safe.
class Scratch {
 public:
  void Reset() {
    block_ = 0;
    used_ = 0;
    lists_used_ = 0;
    given_ = 0;
    steps_ = 0;
  }

  /// True if the row has used up its limit.
  bool Full() const { return given_ > kMostScratchBytes; }

  /// False: the row has used up its limit of steps, with or without these.
  bool Spend(size_t steps) {
    steps_ += steps;
    return steps_ <= kMostRowSteps;
  }

  char* Allocate(size_t bytes);

  /// A copy of the text.
  std::string_view Keep(std::string_view text);
  /// Each bit the other way.
  std::string_view KeepInverted(std::string_view bytes);
  /// The number's shortest digits.
  template <typename Number>
  std::string_view KeepDigits(Number number) {
    char text[64];
    const char* const end = std::to_chars(text, text + sizeof text, number).ptr;
    return Keep({text, static_cast<size_t>(end - text)});
  }
  /// The lowest `bytes` bytes of the number, big-endian.
  std::string_view KeepBigEndian(uint64_t bits, size_t bytes);

  /// An empty list whose memory is reused after Reset.
  std::vector<std::string_view>* NewList();

  /// Why the last function failed: "\"x7\" is not a whole number".
  std::string reason;
  /// True if the reason was the length of the result.
  bool outgrown = false;

 private:
  struct Block {
    std::unique_ptr<char[]> bytes;
    size_t size = 0;
  };
  std::vector<Block> blocks_;
  size_t block_ = 0;
  size_t used_ = 0;
  size_t given_ = 0;  // bytes since Reset
  size_t steps_ = 0;  // since Reset
  std::vector<std::unique_ptr<std::vector<std::string_view>>> lists_;
  size_t lists_used_ = 0;
};

}  // namespace fensi::mapping
