#include "cli/top/keys.h"

namespace fensi::cli {
namespace {

constexpr char kEscape = '\x1b';

Key KeyOf(char byte) {
  switch (byte) {
    case 'q':
    case 'Q':
      return Key::kQuit;
    case 'i':
    case 'I':
      return Key::kIndexes;
    case 'p':
    case 'P':
    case '\r':
    case '\n':
      return Key::kPartitions;
    case 's':
    case 'S':
      return Key::kSort;
    case '?':
    case 'h':
      return Key::kHelp;
    case 'k':
      return Key::kUp;
    case 'j':
      return Key::kDown;
    default:
      return Key::kOther;
  }
}

/// Bytes of the sequence at the beginning of `text`, which begins with an escape; 0: it is not complete.
size_t SequenceLength(std::string_view text) {
  if (text.size() < 2) return 0;
  if (text[1] != '[' && text[1] != 'O') return 1;
  for (size_t i = 2; i < text.size(); ++i) {
    if (text[i] >= '@' && text[i] <= '~') return i + 1;
  }
  return 0;
}

}  // namespace

std::vector<Key> KeyReader::Take(std::string_view bytes) {
  constexpr size_t kLongest = 32;  // of a sequence; what is longer is none
  rest_ += bytes;
  std::vector<Key> keys;
  std::string_view text = rest_;
  while (!text.empty()) {
    size_t length = 1;
    Key key = Key::kOther;
    if (text.front() == kEscape) {
      length = SequenceLength(text);
      if (length == 0 && text.size() < kLongest) break;
      length = length == 0 ? text.size() : length;
      if (length == 3 && text[2] == 'A') key = Key::kUp;
      if (length == 3 && text[2] == 'B') key = Key::kDown;
    } else {
      key = KeyOf(text.front());
    }
    keys.push_back(key);
    text.remove_prefix(length);
  }
  rest_ = std::string(text);
  return keys;
}

std::vector<Key> KeyReader::Pause() {
  if (rest_.empty()) return {};
  rest_.clear();
  return {Key::kOther};
}

}  // namespace fensi::cli
