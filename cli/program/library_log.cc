#include "cli/program/library_log.h"

#include <google/protobuf/stubs/logging.h>

#include <string>

#include "cli/program/output.h"

namespace fensi::cli {
namespace {

void TellWhatIsFatal(google::protobuf::LogLevel level, const char* file, int line, const std::string& text) {
  if (level < google::protobuf::LOGLEVEL_FATAL) return;
  Say("protobuf: " + std::string(file) + ":" + std::to_string(line) + ": " + text);
}

}  // namespace

void SilenceProtobuf() { google::protobuf::SetLogHandler(&TellWhatIsFatal); }

}  // namespace fensi::cli
