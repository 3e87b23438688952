#include "store/hbase/connection.h"

#include <thrift/TOutput.h>

#include <algorithm>

namespace fensi::store {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// The gateway closes connections that were idle for 60 s; we are earlier.
constexpr std::chrono::seconds kLongestIdle(30);
/// From the first refusal until it counts.
constexpr std::chrono::seconds kLongestRefusal(30);

/// Thrift prints faults to stderr on its own; they are in the Status.
void SilenceThrift() {
  static const bool once = [] {
    apache::thrift::GlobalOutput.setOutputFunction([](const char*) {});
    return true;
  }();
  static_cast<void>(once);
}

}  // namespace

FirstAnswer::FirstAnswer(const GatewayOptions& options)
    : call_timeout_(options.call_timeout),
      first_answer_(options.first_answer),
      opened_(steady_clock::now()),
      clock_(options.clock) {}

CallLimit FirstAnswer::LimitForNext() {
  if (came_ || !first_answer_) return {call_timeout_, call_timeout_};
  const auto left = std::chrono::ceil<milliseconds>(opened_ + *first_answer_ - steady_clock::now());
  constexpr milliseconds kFirstLate(250);  // less would end before it shows what is wrong
  if (left > std::min(kFirstLate, *first_answer_ / 2)) {
    return {std::min(left, call_timeout_), std::min(*first_answer_, call_timeout_)};
  }
  constexpr int kMostDoublings = 20;
  const milliseconds late = std::min(kFirstLate * (1 << std::min(late_++, kMostDoublings)), call_timeout_);
  return {late, std::max(late, std::min(*first_answer_, call_timeout_))};
}

void FirstAnswer::Came() {
  came_ = true;
  const MutexLock lock(mu_);
  refused_since_.reset();
}

Status FirstAnswer::AfterRefusal(const Status& refused) {
  if (!came_) return refused;
  const milliseconds now = clock_->SinceBoot();
  const MutexLock lock(mu_);
  if (!refused_since_) refused_since_ = now;
  return now - *refused_since_ < kLongestRefusal ? refused.As(StatusCode::kUnavailable) : refused;
}

Connection::Connection(const GatewayOptions& options, FirstAnswer* first_answer)
    : options_(options), name_(GatewayName(options.host, options.port)), first_answer_(first_answer) {
  SilenceThrift();
}

Connection::~Connection() { Close(); }

void Connection::NoteOpen(bool open) {
  if (open == counted_) return;
  counted_ = open;
  options_.counts->open += open ? 1 : -1;
  options_.counts->made += open ? 1 : 0;
}

void Connection::Close() {
  NoteOpen(false);
  link_.reset();
}

std::string Connection::HintOf(const Status& fault) const {
  if (fault.code() != StatusCode::kUnavailable || first_answer_->came() || !link_->is_open()) return "";
  if (options_.layers.sasl) return "";
  if (options_.layers.tls != nullptr) {
    return " (the port speaks TLS; behind it hbases:// expects binary Thrift, hbase+https:// HTTP, and either may want "
           "Kerberos: --store_kerberos_service)";
  }
  return " (a gateway that never answers may be one for Kerberos: --store_kerberos_service; for TLS: hbases://; for "
         "HTTP: hbase+https://)";
}

Status Connection::Call(const std::string& doing, const std::function<void(thrift2::THBaseServiceClient&)>& call,
                        int most_bytes) {
  const bool idle = options_.clock->SinceBoot() - last_use_ > kLongestIdle;
  if (link_ != nullptr && (idle || !link_->IsUsable())) Close();
  if (link_ == nullptr) link_ = std::make_unique<GatewayLink>(options_.host, options_.port, options_.layers);
  last_ = RunThrift("gateway " + name_ + ": " + doing, [&] {
    link_->StartCall(first_answer_->LimitForNext(), options_.connect_timeout, most_bytes, go_on_);
    call(link_->client());
  });
  NoteOpen(link_->is_open());
  if (last_.refused) {
    if (!link_->kept().empty()) {
      last_.status =
          Status(last_.status.code(), last_.status.words() + (" (former certificates: " + link_->kept() + ")"));
    }
    last_.status = first_answer_->AfterRefusal(last_.status);
  }
  if (last_.status.ok() || last_.answered) {
    first_answer_->Came();
  } else if (const std::string hint = HintOf(last_.status); !hint.empty()) {
    last_.status = Status(last_.status.code(), last_.status.words() + hint);
  }
  if (!link_->ended_by().ok()) last_.status = link_->ended_by();
  if (!last_.status.ok()) Close();
  last_use_ = options_.clock->SinceBoot();
  return last_.status;
}

}  // namespace fensi::store
