// A TCP proxy that does to a connection what networks do: cut it after so many bytes, delay, slice, throttle or hold
// what passes, reset it.
//
// Listens on a free port of 127.0.0.1. Faults may be set at any time and hold for open and new connections until Heal.
// Two threads per connection; thread-safe, no method blocks for long. The destructor closes everything.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace fensi::testing {

class FaultProxy {
 public:
  enum class Way { kRequests, kReplies };

  /// Connections go on to 127.0.0.1:`target_port`.
  explicit FaultProxy(int target_port);
  ~FaultProxy();
  FaultProxy(const FaultProxy&) = delete;
  FaultProxy& operator=(const FaultProxy&) = delete;

  int port() const { return port_; }

  /// Cuts one connection: when `bytes` more have passed this way, over all connections, its next byte is not passed on.
  void CutAfter(Way way, int64_t bytes);
  void Delay(Way way, std::chrono::milliseconds delay);
  /// Passes on at most so many bytes at once; 0: as they come.
  void Slice(Way way, size_t bytes);
  /// 0: no limit.
  void Throttle(Way way, int64_t bytes_per_second);
  /// Keeps back what comes until Release.
  void Hold(Way way);
  void Release(Way way);
  /// Resets all connections that are open now.
  void Reset();
  /// No fault any more; what is held goes on.
  void Heal();

  struct Traffic {
    int64_t passed = 0;  // bytes
    int64_t held = 0;    // pieces kept back at the moment
  };
  Traffic traffic(Way way) const;
  /// A piece that a client has sent, before any fault, or that it is answered, behind all of them; an empty one: this
  /// way of the connection has ended. Connections are numbered.
  using Observer = std::function<void(int connection, Way way, std::string_view piece)>;
  /// Set it before the first connection; it is called as long as the proxy is there.
  void SetObserver(Observer observer) { observer_ = std::move(observer); }

 private:
  struct Link;
  struct Faults {
    std::optional<int64_t> bytes_to_cut;
    std::chrono::milliseconds delay{0};
    size_t slice = 0;
    int64_t bytes_per_second = 0;
    bool hold = false;
    Traffic traffic;
  };

  void Accept();
  void Open(int client);
  void Pump(Link* link, Way way);
  void Observe(const Link& link, Way way, std::string_view piece) const;
  bool PassOn(Link* link, Way way, std::string_view bytes);
  bool WaitBeforeSending(Link* link, Way way, size_t bytes);
  /// How many of the bytes may pass; the connection is cut behind them when that is less than all.
  size_t TakeAllowance(Way way, size_t bytes);
  void Close(Link* link, bool reset);
  Faults& faults(Way way) { return faults_[static_cast<int>(way)]; }
  template <typename Change>
  void Set(Change change);

  const int target_port_;
  int listener_ = -1;
  int port_ = 0;
  Observer observer_;

  mutable std::mutex mu_;  // guards what follows
  std::condition_variable changed_;
  Faults faults_[2];
  std::list<Link> links_;
  int connections_ = 0;  // until now
  bool stopping_ = false;

  std::thread acceptor_;  // last: it uses the rest
};

}  // namespace fensi::testing
