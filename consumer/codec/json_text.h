// JSON strings as fensi writes them.
#pragma once

#include <string>
#include <string_view>

namespace fensi::consumer {

/// Bytes as a quoted JSON string of fensi::Escape's text ("\\x00" stands for a zero byte).
void AppendJsonBytes(std::string_view bytes, std::string* out);

/// A sentence for a person as a quoted JSON string; what is not UTF-8 is written as AppendJsonBytes does.
void AppendJsonText(std::string_view text, std::string* out);

bool IsUtf8(std::string_view bytes);

}  // namespace fensi::consumer
