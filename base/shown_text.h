// Formats text for a terminal, and messages that several modules share. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace fensi {

/// Removes terminal control sequences from text that a person typed or a server sent: control characters become '?',
/// and continuation lines begin with a blank, so that they do not pass for lines of their own.
std::string SanitizeForTerminal(std::string_view text);

/// "; did you mean 'run'?", or empty if no known name is near.
std::string DidYouMean(std::string_view name, std::span<const std::string> known);

/// `server`: its kind and address; `since`: a time, or for how long: "broker b1:9092 is unreachable since 12 s".
std::string UnreachableText(const std::string& server, const std::string& since);

/// The message for a table that does not exist, from every store.
std::string NoSuchTableText(const std::string& table);

/// 75 -> "1 m 15 s".
std::string DurationText(int64_t seconds);

}  // namespace fensi
