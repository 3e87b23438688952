// What a person presses, out of the bytes that a terminal sends. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fensi::cli {

/// kOther: one that means nothing of its own.
enum class Key { kUp, kDown, kIndexes, kPartitions, kSort, kHelp, kQuit, kOther };

class KeyReader {
 public:
  /// Those that are complete; the bytes of one that is not are kept for the next call.
  std::vector<Key> Take(std::string_view bytes);
  /// Nothing came for a moment: what is kept was no beginning of an arrow, but the Esc key.
  std::vector<Key> Pause();

 private:
  std::string rest_;
};

}  // namespace fensi::cli
