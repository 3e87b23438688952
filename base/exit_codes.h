// Exit codes that report a result, not an error.
#pragma once

namespace fensi {

/// The exit code of an error comes from ExitCode(StatusCode).
constexpr int kExitDone = 0;
constexpr int kExitDifference = 1;     // a failed example, input that was refused, an index that differs
constexpr int kExitNotComparable = 2;  // it is unknown what differs, or whether anything does

}  // namespace fensi
