// The readable form of requests and watermarks: one JSON object a line. The key "kind" distinguishes them from events.
//
//   {"kind":"image","table":"t","row":"a","incarnation":"0123456789abcdef","job":"b-7","read_time":17,"partial":true,
//    "cells":[as in json_encoder.h]}
//   {"kind":"recheck","table":"t","row":"a","incarnation":"0123456789abcdef","columns":["f:k"],
//    "suspects":[{"table":"fans","row":"b","column":"f1:a","ts":17}]}                         (a whole row: no column)
//   {"kind":"mark","calls":[{"server":"rs1,16020,1","first":5,"last":9}],"members":["rs1,16020,1"],"members_time":17,
//    "complete_to":16,"bulk_loads":"reported"}
// Empty, zero and false fields are left out. Bytes as in json_encoder.h. JsonDecoder reads requests back.
#pragma once

#include <string>
#include <string_view>

#include "base/cell.h"
#include "base/status.h"
#include "consumer/codec/mark_codec.h"
#include "consumer/codec/request.h"

namespace fensi::consumer {

/// Append the object without a line break.
void AppendJsonRequest(const Request& request, std::string* out);
void AppendJsonMark(const Mark& mark, std::string* out);

/// The JSON object of a message of a topic: of the change that it was decoded to, of a watermark or of a request.
/// Otherwise the error `decoded`.
Result<std::string> JsonLineOf(std::string_view key, std::string_view value, const Status& decoded,
                               const ChangeEvent& event);

}  // namespace fensi::consumer
