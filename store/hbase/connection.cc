#include "store/hbase/connection.h"

#include <thrift/TConfiguration.h>
#include <thrift/TOutput.h>
#include <thrift/transport/TBufferTransports.h>

#include <algorithm>

#include "THBaseService.h"
#include "store/hbase/write_calls.h"

namespace fensi::store {
namespace {

using apache::thrift::TConfiguration;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// The gateway closes connections that were idle for 60 s; we are earlier.
constexpr std::chrono::seconds kLongestIdle(30);
/// Of one answer; several times what the largest cell needs.
constexpr uint32_t kBufferBytes = 64 << 10;

/// Thrift prints faults to stderr on its own; they are in the Status.
void SilenceThrift() {
  static const bool once = [] {
    apache::thrift::GlobalOutput.setOutputFunction([](const char*) {});
    return true;
  }();
  static_cast<void>(once);
}

/// An address of numbers and colons is put in brackets.
std::string GatewayName(const GatewayOptions& options) {
  const bool colons = options.host.find(':') != std::string::npos;
  return (colons ? "[" + options.host + "]" : options.host) + ":" + std::to_string(options.port);
}

}  // namespace

struct Connection::Link {
  /// Thrift adds up what a connection has ever brought and ends it at the limit of one message: here each call counts
  /// from zero.
  class Buffers final : public apache::thrift::transport::TBufferedTransport {
   public:
    using TBufferedTransport::TBufferedTransport;
    void StartCall() { resetConsumedMessageSize(); }
  };

  explicit Link(const GatewayOptions& options)
      : configuration(std::make_shared<TConfiguration>(kMostReplyBytes)),
        socket(std::make_shared<GatewaySocket>(options.host, options.port, configuration)),
        buffers(std::make_shared<Buffers>(socket, kBufferBytes, configuration)),
        client(std::make_shared<GatewayProtocol>(buffers)) {}

  const std::shared_ptr<TConfiguration> configuration;
  const std::shared_ptr<GatewaySocket> socket;
  const std::shared_ptr<Buffers> buffers;
  thrift2::THBaseServiceClient client;
};

FirstAnswer::FirstAnswer(const GatewayOptions& options)
    : call_timeout_(options.call_timeout), first_answer_(options.first_answer), opened_(steady_clock::now()) {}

CallLimit FirstAnswer::LimitForNext() {
  if (came_ || !first_answer_) return {call_timeout_, call_timeout_};
  const auto left = std::chrono::ceil<milliseconds>(opened_ + *first_answer_ - steady_clock::now());
  if (left.count() > 0) return {std::min(left, call_timeout_), std::min(*first_answer_, call_timeout_)};
  constexpr milliseconds kFirstLate(250);
  constexpr int kMostDoublings = 20;
  const milliseconds late = std::min(kFirstLate * (1 << std::min(late_++, kMostDoublings)), call_timeout_);
  return {late, std::max(late, std::min(*first_answer_, call_timeout_))};
}

Connection::Connection(const GatewayOptions& options, FirstAnswer* first_answer)
    : options_(options), name_(GatewayName(options)), first_answer_(first_answer) {
  SilenceThrift();
}

Connection::~Connection() = default;

Status Connection::Call(const std::string& doing, const std::function<void(thrift2::THBaseServiceClient&)>& call,
                        int most_bytes) {
  if (options_.clock->SinceBoot() - last_use_ > kLongestIdle) link_.reset();
  if (link_ == nullptr) link_ = std::make_unique<Link>(options_);
  last_ = RunThrift("gateway " + name_ + ": " + doing, [&] {
    link_->configuration->setMaxMessageSize(most_bytes);  // first: it is read where a call starts
    link_->socket->StartCall(first_answer_->LimitForNext(), go_on_);
    link_->buffers->StartCall();
    if (!link_->socket->isOpen()) link_->socket->Connect(options_.connect_timeout);
    call(link_->client);
  });
  if (!link_->socket->ended_by().ok()) last_.status = link_->socket->ended_by();
  if (last_.status.ok() || last_.answered) first_answer_->Came();
  if (!last_.status.ok()) link_.reset();
  last_use_ = options_.clock->SinceBoot();
  return last_.status;
}

}  // namespace fensi::store
