// `changelog:` of an index: the topic that receives the changes of its rows, and the form of the messages.
#pragma once

#include <string>
#include <vector>

namespace fensi::mapping {

/// A column of the index as the messages show it.
struct ChangelogField {
  std::string family;
  std::string qualifier;
  std::string name;     // of the field
  bool base64 = false;  // else text
  bool operator==(const ChangelogField&) const = default;
};

/// The field of the row key.
inline constexpr char kChangelogRow[] = "row";

struct ChangelogSpec {
  std::string topic;
  bool schema = false;      // each message has its schema, too
  bool base64_row = false;  // else text
  std::vector<ChangelogField> fields;
  bool operator==(const ChangelogSpec&) const = default;

  /// All of it in one line. Two equal texts are two equal specs.
  std::string Text() const {
    std::string text = topic + (schema ? " schema" : "") + (base64_row ? " base64" : "");
    for (const ChangelogField& field : fields) text += " " + field.name + (field.base64 ? "=base64" : "");
    return text;
  }
};

}  // namespace fensi::mapping
