// What a person presses, out of the bytes that a terminal sends. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fensi::cli {

enum class Key { kUp, kDown, kIndexes, kPartitions, kSort, kHelp, kQuit };

class KeyReader {
 public:
  /// Those that are complete; the bytes of one that is not are kept for the next call. Others mean nothing.
  std::vector<Key> Take(std::string_view bytes);

 private:
  std::string rest_;
};

}  // namespace fensi::cli
