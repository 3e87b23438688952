// stdout is data, stderr is messages. Thread-safe line by line; blocks when the reader of the pipe is slow.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace fensi::cli {

/// Data, as it is.
void Print(std::string_view text);
/// What a person typed or a server said, so that it neither steers the terminal nor passes for a line of its own:
/// control characters become '?', and a line that goes on begins with a blank.
std::string Harmless(std::string_view text);
/// A message: "fensi: text" and a line end; its text is made harmless.
void Say(std::string_view text);
/// Flushes stdout; an error when anything that was printed could not be written ("no space left on device"). Who prints
/// without end calls it now and then.
Status FinishOutput();
/// Who read the output has gone on purpose: what could not be written is no error.
void ForgetOutputError();

/// True when stderr is a terminal, so that progress may be drawn over itself.
bool StderrIsTerminal();
/// True when a person sees what is printed.
bool StdoutIsTerminal();

/// 75 -> "1 m 15 s".
std::string DurationText(int64_t seconds);

}  // namespace fensi::cli
