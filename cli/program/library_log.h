// Silences what libraries would write to stderr.
#pragma once

namespace fensi::cli {

/// Silences protobuf about messages that it cannot read: the reading code reports them once and with their position,
/// and protobuf's lines would be unlimited for untrusted messages. Fatal errors of protobuf are still reported. For the
/// whole process; first thing in main.
void SilenceProtobuf();

}  // namespace fensi::cli
