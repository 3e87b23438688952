// What libraries would write to stderr by themselves.
#pragma once

namespace fensi::cli {

/// From now on protobuf is silent about messages that it cannot read: whoever reads one says so in his own words, once
/// and with its place, and protobuf's lines would come without end where a stranger writes the messages. What protobuf
/// ends the program for is told. For the whole process; first thing in main.
void SilenceProtobuf();

}  // namespace fensi::cli
