// Decodes keys from the bytes of a terminal. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fensi::cli {

/// kOther: a key without a meaning.
enum class Key { kUp, kDown, kIndexes, kPartitions, kSort, kHelp, kQuit, kOther };

class KeyReader {
 public:
  /// The complete keys; keeps the bytes of an incomplete one for the next call.
  std::vector<Key> Take(std::string_view bytes);
  /// Nothing arrived for a moment: an incomplete sequence was the Esc key, not an arrow.
  std::vector<Key> Pause();

 private:
  std::string rest_;
};

}  // namespace fensi::cli
