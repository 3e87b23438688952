#include "daemon/log/log.h"

#include <glog/logging.h>

#include <memory>

#include "base/clock.h"
#include "consumer/kafka/client/client_config.h"
#include "operations/console/console.h"

namespace fensi::daemon {
namespace {

/// Where glog's lines end: they are whole as they come.
class Lines final : public google::LogSink {
 public:
  void send(google::LogSeverity, const char*, const char*, int, const google::LogMessageTime&, const char* line,
            size_t size) override {
    operations::WriteAbove(std::string(line, size) + "\n");
  }
};

void WriteByGlog(const std::string& line) {
  static Lines* const lines = std::make_unique<Lines>().release();
  constexpr bool kToFilesToo = false;
  google::LogMessage(__FILE__, __LINE__, google::GLOG_INFO, lines, kToFilesToo).stream() << line;
}

/// Not destroyed: detached threads may still log when the process ends.
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

}  // namespace

DaemonLog::DaemonLog(const LogSettings& settings) {
  OfDaemon() = MakeLogger(settings);
  if (OfDaemon()->settings().least > LogLevel::kDebug) return;
  consumer::SetClientLog([](const std::string& text) { Log("kafka_client", "Kafka's client: " + text); });
}

DaemonLog::~DaemonLog() { FlushLog(); }

void ChangeLog(const LogSettings& settings) {
  if (OfDaemon() != nullptr) OfDaemon()->Change(settings);
}

void Log(Event event, const RedactableText& words, const LogFields& fields) { OfProcess().Log(event, words, fields); }

void Log(Event event, const std::string& text, const LogFields& fields) { Log(event, RedactableText(text), fields); }

void TickLog() { OfProcess().Tick(); }

void FlushLog() { OfProcess().Flush(); }

bool LogIsText() { return !OfProcess().settings().json; }

void TellFailure(const std::string& command, const Status& status) {
  if (OfDaemon() == nullptr) return operations::Say(command + ": " + status.message());
  Log("command_failed", command + ": " + status.words(), {.code = std::string(StatusCodeName(status.code()))});
}

}  // namespace fensi::daemon
