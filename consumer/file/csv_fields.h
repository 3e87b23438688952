// One record of CSV, line by line: fields with commas between; one in double quotes may hold commas, line breaks and
// doubled quotes (RFC 4180).
//
// Pure; one thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace fensi::consumer {

class CsvFields {
 public:
  struct Field {
    std::string text;
    bool quoted = false;
    bool absent() const { return text.empty() && !quoted; }
  };

  /// The next line of the record, without its line break; `before` is the one in front of it. True: the record is
  /// whole. kInvalidArgument: it is none, and the next line begins another one.
  Result<bool> Add(std::string_view line, std::string_view before);
  const std::vector<Field>& fields() const { return fields_; }
  /// A quoted field has begun and not ended.
  bool open() const { return open_; }
  void Clear();

 private:
  /// Takes the field's text behind its opening quote; what is left behind the closing one. Without one the field goes
  /// on in the next line.
  std::string_view TakeQuoted(std::string_view rest);
  std::string PlaceText() const { return "field " + std::to_string(fields_.size()); }

  std::vector<Field> fields_;
  bool open_ = false;
};

}  // namespace fensi::consumer
