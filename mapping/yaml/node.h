// A YAML document as the mapping language sees it: text, lists and maps, each with its place in the file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fensi::mapping {

/// Line and column count from 1, in bytes (people are shown characters); width is what a caret marks.
struct Place {
  int line = 1, column = 1;
  int width = 1;
};

enum class Quote { kNone, kSingle, kDouble };

/// A tree; owns its children. Keys of a map are unique (duplicates were reported and dropped).
struct Node {
  enum class Kind { kNothing, kText, kList, kMap };
  struct Field;

  Kind kind = Kind::kNothing;
  Place place;
  std::string text;  // kText: the value, unquoted
  Quote quote = Quote::kNone;
  bool flow = false;  // kList, kMap: written as [...] or {...}
  std::vector<Node> items;
  std::vector<Field> fields;

  const Node* Find(std::string_view key) const;
};

struct Node::Field {
  Node key;
  Node value;
};

}  // namespace fensi::mapping
