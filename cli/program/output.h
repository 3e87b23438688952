// Writes data to stdout and messages to stderr. Thread-safe line by line; blocks when the reader of the pipe is slow.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace fensi::cli {

/// Writes data unchanged.
void Print(std::string_view text);
/// Writes a message: "fensi: text" and a line end, sanitized.
void Say(std::string_view text);
/// Flushes stdout; an error if anything could not be written ("no space left on device"). Call it from time to time
/// while printing without end.
Status FinishOutput();
/// The reader of the output has left on purpose: failed writes are no error.
void ForgetOutputError();

/// True when stderr is a terminal, so that progress may be drawn over itself.
bool StderrIsTerminal();
/// True when stdout is a terminal.
bool StdoutIsTerminal();

}  // namespace fensi::cli
