// JSON strings as fensi writes them.
#pragma once

#include <string>
#include <string_view>

#include "base/cell.h"

namespace fensi::consumer {

/// Bytes as a quoted JSON string of fensi::Escape's text ("\\x00" stands for a zero byte).
void AppendJsonBytes(std::string_view bytes, std::string* out);

/// "family:qualifier", and a cell as json_encoder.h describes it.
void AppendJsonColumn(const std::string& family, const std::string& qualifier, std::string* out);
void AppendJsonCell(const Cell& cell, std::string* out);

/// A sentence for a person as a quoted JSON string; what is not UTF-8 is written as AppendJsonBytes does.
void AppendJsonText(std::string_view text, std::string* out);

bool IsUtf8(std::string_view bytes);

}  // namespace fensi::consumer
