// Digests of definitions that name other definitions, such as records of a schema: of a definition and of everything
// that it needs. Each definition is described once.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/digest.h"

namespace fensi::mapping {

/// So many definitions may one that is in use need. Their digest is then made in milliseconds.
constexpr size_t kMostNeeded = 1000;

/// Not thread-safe. A `Key` names a definition, and is a pointer or a variant of pointers.
template <typename Key>
class DefinitionDigests {
 public:
  struct Definition {
    std::string name;
    std::string text;        // its meaning, with the names of the definitions that it needs
    std::vector<Key> needs;  // directly, perhaps more than once
    bool counts = true;      // towards kMostNeeded
  };
  using Describe = Definition (*)(const Key&);

  explicit DefinitionDigests(Describe describe) : describe_(describe) {}

  /// Of the texts of all definitions that it needs, with itself, in the order of their names. Empty: these are more
  /// than kMostNeeded.
  const std::string& Of(const Key& key) {
    const auto known = digests_.find(key);
    if (known != digests_.end()) return known->second;
    return digests_[key] = Make(key);
  }

 private:
  const Definition& Described(const Key& key) {
    auto known = definitions_.find(key);
    if (known == definitions_.end()) known = definitions_.emplace(key, describe_(key)).first;
    return known->second;
  }

  /// What is still to be read waits in a list, so that depth costs no stack.
  std::string Make(const Key& key) {
    std::map<std::string_view, std::string_view> texts;
    std::set<Key> needed = {key};
    std::vector<Key> waiting = {key};
    size_t counted = 0;
    while (!waiting.empty()) {
      const Definition& next = Described(waiting.back());
      waiting.pop_back();
      counted += next.counts ? 1 : 0;
      if (counted > kMostNeeded) return "";
      texts[next.name] = next.text;
      for (const Key& inner : next.needs) {
        if (needed.insert(inner).second) waiting.push_back(inner);
      }
    }
    std::string all;
    for (const auto& [name, text] : texts) all.append(name).append(" ").append(text);
    return Digest(all);
  }

  const Describe describe_;
  std::map<Key, Definition> definitions_;
  std::map<Key, std::string> digests_;
};

}  // namespace fensi::mapping
