// The readable form of a change event: one JSON object a line.
//
//   {"table":"guanzhu","row":"a","seq":17,"cells":[{"type":"put","column":"f1:from","ts":1482125382074,"value":"b"}]}
//
//   event: table, row, cells; optional seq, region, write_time
//   cell:  type (put, delete, delete_column, delete_family, delete_family_version, unknown_delete), ts,
//          column "family:qualifier" (family "f1" for delete_family and delete_family_version), value (puts only);
//          optional tags [{"type":8,"value":"…"}]
// Bytes are text with the \xNN escapes of the HBase shell. Nothing is guessed: a missing, repeated or unknown key is
// refused.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/cell.h"
#include "base/status.h"

namespace fensi::consumer {

/// Appends the object without a line break. What is written decodes to the same event.
void AppendJsonEvent(const ChangeEvent& event, std::string* out);

/// Bytes that must be readable (not part of the text) behind what DecodePadded gets.
inline constexpr size_t kJsonPadding = 64;

/// Keeps its parser from call to call: one decoder per thread. Never blocks.
class JsonDecoder {
 public:
  JsonDecoder();
  ~JsonDecoder();
  JsonDecoder(JsonDecoder&&) noexcept;
  JsonDecoder& operator=(JsonDecoder&&) noexcept;

  /// Fills `event`, which is undefined after an error. kInvalidArgument says where: a byte of the line when it is no
  /// JSON, otherwise the key ("cells[1].ts").
  Status Decode(std::string_view line, ChangeEvent* event);
  /// The same without a copy of the line: kJsonPadding bytes behind it may be read.
  Status DecodePadded(std::string_view line, ChangeEvent* event);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fensi::consumer
