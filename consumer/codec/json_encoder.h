// The readable form of a change event: one JSON object a line.
//
//   {"table":"guanzhu","row":"a","seq":17,"cells":[{"type":"put","column":"f1:from","ts":1482125382074,"value":"b"}]}
//
//   event: table, row, cells; optional seq, region, write_time
//   cell:  type (put, delete, delete_column, delete_family, delete_family_version, unknown_delete), ts,
//          column "family:qualifier" (family "f1" for delete_family and delete_family_version), value (puts only);
//          optional tags [{"type":8,"value":"…"}]
// Bytes are text with the \xNN escapes of the HBase shell.
#pragma once

#include <string>

#include "base/cell.h"

namespace fensi::consumer {

/// Appends the object without a line break. What is written decodes to the same event (json_decoder.h). Pure.
void AppendJsonEvent(const ChangeEvent& event, std::string* out);

/// Its parts: "family:qualifier", and a cell.
void AppendJsonColumn(const std::string& family, const std::string& qualifier, std::string* out);
void AppendJsonCell(const Cell& cell, std::string* out);

}  // namespace fensi::consumer
