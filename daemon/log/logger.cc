#include "daemon/log/logger.h"

namespace fensi::daemon {

void Logger::Log(Event event, const RedactableText& words, const LogFields& fields) {
  const MutexLock lock(mu_);
  if (event.rule().level < settings_.least) return;
  const LogLine line{.event = event,
                     .message = settings_.rows ? words.all() : words.open(),
                     .fields = fields,
                     .time = clock_->WallMillis()};
  WriteHeld(window_.Due(clock_->MonotonicNow()));
  if (window_.Take(line, clock_->MonotonicNow())) write_(Formed(line));
}

void Logger::Tick() {
  const MutexLock lock(mu_);
  WriteHeld(window_.Due(clock_->MonotonicNow()));
}

void Logger::Flush() {
  const MutexLock lock(mu_);
  WriteHeld(window_.Rest());
}

LogSettings Logger::settings() const {
  const MutexLock lock(mu_);
  return settings_;
}

void Logger::Change(const LogSettings& settings) {
  const MutexLock lock(mu_);
  WriteHeld(window_.Rest());
  settings_ = settings;
  window_ = LogWindow(settings.window);
}

/// The times of what is written do not fall: a line that was held has the time at which it is told.
void Logger::WriteHeld(std::vector<LogLine> lines) {
  for (LogLine& line : lines) {
    line.time = clock_->WallMillis();
    write_(Formed(line));
  }
}

std::string Logger::Formed(const LogLine& line) const { return settings_.json ? JsonOf(line) : TextOf(line); }

}  // namespace fensi::daemon
