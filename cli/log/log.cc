#include "cli/log/log.h"

#include <glog/logging.h>

#include <algorithm>
#include <memory>

#include "base/clock.h"
#include "cli/flags/flags.h"
#include "cli/log/logger.h"
#include "cli/program/drawn_line.h"
#include "cli/program/output.h"
#include "consumer/kafka/client_config.h"

namespace fensi::cli {
namespace {

/// Where glog's lines end: they are whole as they come.
class Lines final : public google::LogSink {
 public:
  void send(google::LogSeverity, const char*, const char*, int, const google::LogMessageTime&, const char* line,
            size_t size) override {
    WriteAbove(std::string(line, size) + "\n");
  }
};

void WriteByGlog(const std::string& line) {
  static Lines* const lines = std::make_unique<Lines>().release();
  constexpr bool kToFilesToo = false;
  google::LogMessage(__FILE__, __LINE__, google::GLOG_INFO, lines, kToFilesToo).stream() << line;
}

/// Not destroyed: threads that nobody waits for may still log when the process ends.
Logger* MakeLogger(const LogSettings& settings) {
  const auto write = [](const std::string& line) { WriteByGlog(line); };
  return std::make_unique<Logger>(settings, SystemClock(), write).release();
}

Logger*& OfDaemon() {
  static Logger* logger = nullptr;
  return logger;
}

Logger& OfProcess() {
  static Logger* const plain = MakeLogger({});
  return OfDaemon() == nullptr ? *plain : *OfDaemon();
}

/// The flag's rule has checked it.
LogLevel LeastLevel() {
  const auto named = std::find(kLogLevelNames.begin(), kLogLevelNames.end(), FLAGS_log_level);
  return static_cast<LogLevel>(named - kLogLevelNames.begin());
}

LogSettings SettingsOfFlags() {
  return {.json = FLAGS_log_format == "json",
          .least = LeastLevel(),
          .window = std::chrono::seconds(FLAGS_log_window_s),
          .rows = FLAGS_log_rows};
}

}  // namespace

DaemonLog::DaemonLog() {
  OfDaemon() = MakeLogger(SettingsOfFlags());
  if (OfDaemon()->settings().least > LogLevel::kDebug) return;
  consumer::SetClientLog([](const std::string& text) { Log("kafka_client", "Kafka's client: " + text); });
}

DaemonLog::~DaemonLog() { FlushLog(); }

void ChangeLog() {
  if (OfDaemon() != nullptr) OfDaemon()->Change(SettingsOfFlags());
}

void Log(Event event, const Words& words, const LogFields& fields) { OfProcess().Log(event, words, fields); }

void Log(Event event, const std::string& text, const LogFields& fields) { Log(event, Words(text), fields); }

void TickLog() { OfProcess().Tick(); }

void FlushLog() { OfProcess().Flush(); }

bool LogIsText() { return !OfProcess().settings().json; }

void TellFailure(const std::string& command, const Status& status) {
  if (OfDaemon() == nullptr) return Say(command + ": " + status.message());
  Log("command_failed", command + ": " + status.words(), {.code = std::string(StatusCodeName(status.code()))});
}

}  // namespace fensi::cli
