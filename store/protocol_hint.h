// Adds to the errors of a store's first calls what server answers at its address: a wrong scheme or port is the usual
// reason.
//
// Thread-safe if the wrapped store is. After the first answer it only forwards calls. It probes the address at most
// twice a minute, for a second.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/mutex.h"
#include "store/wrapped_store.h"

namespace fensi::store {

class ProtocolHint final : public InterceptingStore<ProtocolHint> {
 public:
  /// The first server of the URL, and the expected kind of server.
  struct Place {
    std::string host;
    int port = 0;
    bool zookeeper = false;
    bool masters = false;  // neither: a Thrift2 gateway
    bool tls = false;      // the URL asks for TLS
  };

  ProtocolHint(std::shared_ptr<Store> behind, const Place& place)
      : ProtocolHint(std::move(behind), std::make_shared<Shared>(place)) {}

 private:
  friend class InterceptingStore<ProtocolHint>;

  struct Shared {
    explicit Shared(const Place& where) : place(where) {}
    const Place place;
    std::atomic<bool> answered = false;
    Mutex mu;
    std::optional<std::chrono::milliseconds> asked_at ABSL_GUARDED_BY(mu);
    std::string hint ABSL_GUARDED_BY(mu);
  };

  ProtocolHint(std::shared_ptr<Store> behind, std::shared_ptr<Shared> shared)
      : InterceptingStore(std::move(behind)), shared_(std::move(shared)) {}

  std::unique_ptr<Store> Over(std::unique_ptr<Store> behind) override {
    return std::unique_ptr<ProtocolHint>(new ProtocolHint(std::move(behind), shared_));
  }

  template <typename Call>
  auto Around(StoreOp /*kind*/, Call call) -> decltype(call()) {
    auto answer = call();
    const Status status = StatusOf(answer);
    if (status.code() != StatusCode::kUnavailable) shared_->answered = true;
    if (shared_->answered) return answer;
    const std::string hint = Hint();
    if (hint.empty()) return answer;
    return status.WithSuffix(". " + hint).As(StatusCode::kConfiguration);
  }

  /// Empty: the expected server answers, or it is unknown.
  std::string Hint();

  const std::shared_ptr<Shared> shared_;
};

/// The message if the URL names the wrong kind of server; empty: it is the right one, or unknown.
std::string HintFor(const ProtocolHint::Place& place);

}  // namespace fensi::store
