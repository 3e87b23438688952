// Reading a map whose keys are known: everything unexpected is reported, with a suggestion.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "mapping/yaml/node.h"
#include "mapping/yaml/reporter.h"

namespace fensi::mapping {

/// Borrows the node and the reporter. `what` names the map in messages: "index 'fensi'".
class Fields {
 public:
  /// Reports a node that is no map, and every key that is not in `known`. Missing keys are reported at `where`
  /// (default: where the map begins).
  Fields(const Node& map, std::string what, std::initializer_list<std::string_view> known, Reporter* reporter,
         const Place* where = nullptr);

  /// The value of a key of any kind; null when the key is absent.
  const Node* Find(std::string_view key) const { return node_.Find(key); }
  /// As Find, and reports an absent key.
  const Node* Require(std::string_view key) const;
  /// The text under a key; nothing when absent or (reported) not a text.
  const Node* Text(std::string_view key) const;
  /// true or false; anything else is reported and false.
  bool Flag(std::string_view key) const;
  std::optional<int64_t> Number(std::string_view key, int64_t min, int64_t max) const;
  /// A whole number with s, m, h or d (none: seconds), at least one second.
  std::optional<int32_t> Duration(std::string_view key) const;
  /// The position of the text among the choices.
  std::optional<size_t> Choice(std::string_view key, std::span<const std::string_view> choices) const;

  const Node& node() const { return node_; }

 private:
  const Node& node_;
  const std::string what_;
  const Place where_;
  Reporter* const reporter_;
};

/// Reports a node that is not of the kind; `what` names it: "'columns'". Without a hint, the message says how the kind
/// is written.
bool IsKind(const Node& node, Node::Kind kind, const std::string& what, Reporter* reporter, const char* hint = nullptr);

/// Reports a list or a map with more than `most` items; `what` names it: "'columns'".
bool IsBounded(const Node& node, size_t most, const std::string& what, Reporter* reporter);

/// The whole of the text as a number.
std::optional<int64_t> ParseInteger(std::string_view text);

}  // namespace fensi::mapping
