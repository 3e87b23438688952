// The readable form of a change event: one JSON object a line.
//
//   {"table":"guanzhu","row":"a","seq":17,"cells":[{"type":"put","column":"f1:from","ts":1482125382074,"value":"b"}]}
//
//   event: table, row, cells; optional seq, region, write_time
//          or kind "bulk_load", table, row (the region's first); optional families (none: not known), seq, region,
//          write_time
//   cell:  type (put, delete, delete_column, delete_family, delete_family_version, unknown_delete), ts,
//          column "family:qualifier" (family "f1" for delete_family and delete_family_version), value (puts only);
//          optional tags [{"type":8,"value":"…"}]
// Bytes are text with the \xNN escapes of the HBase shell.
#pragma once

#include <string>
#include <string_view>

#include "base/cell.h"

namespace fensi::consumer {

// Encodes JSON strings.

/// Appends bytes as a quoted JSON string of fensi::Escape's text ("\\x00" stands for a zero byte).
void AppendJsonBytes(std::string_view bytes, std::string* out);

/// Appends a sentence for a person as a quoted JSON string; text that is not UTF-8 is written as by AppendJsonBytes.
void AppendJsonText(std::string_view text, std::string* out);

bool IsUtf8(std::string_view bytes);

// The readable form of a change event: one JSON object a line.
//
//   {"table":"guanzhu","row":"a","seq":17,"cells":[{"type":"put","column":"f1:from","ts":1482125382074,"value":"b"}]}
//
//   event: table, row, cells; optional seq, region, write_time
//          or kind "bulk_load", table, row (the region's first); optional families (none: not known), seq, region,
//          write_time
//   cell:  type (put, delete, delete_column, delete_family, delete_family_version, unknown_delete), ts,
//          column "family:qualifier" (family "f1" for delete_family and delete_family_version), value (puts only);
//          optional tags [{"type":8,"value":"…"}]
// Bytes are text with the \xNN escapes of the HBase shell.

/// Appends the object without a line break. It decodes to the same event (json_decoder.h). Pure.
void AppendJsonEvent(const ChangeEvent& event, std::string* out);

/// Append parts of an event: "family:qualifier", and a cell.
void AppendJsonColumn(const std::string& family, const std::string& qualifier, std::string* out);
void AppendJsonCell(const Cell& cell, std::string* out);

}  // namespace fensi::consumer
