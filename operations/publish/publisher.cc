#include "operations/publish/publisher.h"

#include "base/clock.h"
#include "base/text.h"
#include "operations/console/console.h"

namespace fensi::operations {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kReportPause{10'000};
constexpr milliseconds kLedgerEvery{100};

milliseconds Now() { return SystemClock()->MonotonicNow(); }

void SayRefused(int64_t line, const std::string& why) {
  Say("publish: line " + std::to_string(line) + " is left out: " + why + ". Correct it, then publish it again");
}

}  // namespace

Publisher::Publisher(std::unique_ptr<consumer::TrackedProducer> producer, std::string topic, int64_t max_bytes)
    : topic_(std::move(topic)),
      max_bytes_(max_bytes),
      start_(Now()),
      next_report_(start_ + kReportPause),
      ledger_(SayRefused),
      producer_(std::move(producer)),
      handle_(producer_->OpenTopic(topic_)) {}

Status Publisher::Take(int64_t line, const Result<consumer::JsonMessage>& message) {
  if (!wanted()) return Status(StatusCode::kCancelled, "no more lines are wanted");
  if (message.ok()) {
    Send(line, *message);
  } else {
    ledger_.RefuseLine(line, message.status().message());
  }
  if (Now() >= next_report_) Report();
  return Status();
}

void Publisher::Send(int64_t line, const consumer::JsonMessage& message) {
  const std::string& value = message.value;
  const Status sent = producer_->Send(handle_, message.row, value, ledger_.Sent(line), [this] { return wanted(); });
  if (sent.code() == StatusCode::kRejected) {
    ledger_.RefuseLine(line, "the event has " + WithCommas(static_cast<int64_t>(value.size())) +
                                 " bytes, more than topic " + topic_ + " takes (max.message.bytes is " +
                                 WithCommas(max_bytes_) + ")");
  } else if (!sent.ok()) {
    ledger_.Lose(line, stopped_ ? Status(StatusCode::kCancelled, "stopped") : sent);
  }
}

void Publisher::Finish(const std::function<bool()>& enough) {
  while (!ledger_.Wait(kLedgerEvery) && !enough()) {
  }
}

void Publisher::Report() {
  next_report_ = Now() + kReportPause;
  const double seconds = static_cast<double>((Now() - start_).count()) / 1000.0;
  const int64_t written = ledger_.written(), refused = ledger_.refused();
  std::string text = "publish: " + Counted(written, "event") + " to " + topic_;
  if (seconds >= 0.5) text += ", " + WithCommas(static_cast<int64_t>(static_cast<double>(written) / seconds)) + "/s";
  Say(refused == 0 ? text : text + "; " + Counted(refused, "line") + " refused");
}

Status Publisher::Rest() const {
  const Status failure = ledger_.failure();
  if (failure.ok() && !stopped_) return Status();
  const std::string line = std::to_string(ledger_.first_missing());
  return Status(failure.ok() ? StatusCode::kCancelled : failure.code(),
                (failure.ok() ? "stopped" : failure.message()) + ". All lines before line " + line +
                    " are done. Continue with this line: 'tail -n +" + line + " FILE | fensi publish " + topic_ +
                    " --kafka HOST:PORT'. Lines that are written twice do no harm");
}

}  // namespace fensi::operations
