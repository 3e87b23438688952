// The accepting side of Kerberos, as HBase plays it, for FakeHBase: with the keys of KRB5_KTNAME, in the realm that
// tests/support/kerberos_realm.py has made.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "base/kerberos.h"
#include "tests/hbase/wire.h"

namespace fensi::hbase {

/// What it does, and what it saw. Must outlive the server.
struct KerberosServer {
  /// How its answers come.
  enum class Style { kWhole, kSpread, kTogether, kSpoiled, kTwice, kUnsealed, kUnwrapped };

  uint8_t offers = 7;  // bits of its protections
  uint32_t most_bytes = 65'536;
  std::string refusal;           // instead of its first answer: the message of an exception
  bool asks_for_simple = false;  // as a server without Kerberos
  bool is_silent = false;
  std::atomic<Style> style = Style::kWhole;
  std::atomic<int> close_after = -1;  // so many bytes of its tokens
  std::atomic<int> messages = 0, logins = 0;

  /// For FakeHBase::greet. Clients with simple authentication are told that Kerberos is demanded.
  std::function<std::unique_ptr<Wire>(int socket)> Greeting() {
    return [this](int socket) { return Greet(std::make_unique<Wire>(socket)); };
  }
  std::unique_ptr<Wire> Greet(std::unique_ptr<Wire> wire);
  std::string client();

 private:
  std::unique_ptr<Wire> Accept(std::unique_ptr<Wire> wire);

  std::mutex mu_;
  std::string client_;
};

}  // namespace fensi::hbase
