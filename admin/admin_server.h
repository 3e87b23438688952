// The admin server: HTTP/1.1 for programs and people of the same machine or network, on one thread of its own.
//
// Bounded whatever clients do: 64 connections and 8 more for probes, 8 KiB of headers and 64 KiB of body each, 10 s for
// a request and for taking its answer, and 32 MiB of answers that are on their way. For one connection more the oldest
// that has sent no whole request is closed. It never waits for a worker: see StatusSource.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "admin/address.h"
#include "admin/answers.h"
#include "admin/tls.h"

namespace fensi::admin {

struct ServerOptions {
  Address address;
  /// The next ports are tried when the first is taken; absent (0): that is an error.
  uint16_t last_port = 0;
  AnswersOptions answers;
  int most_connections = 64;
  int probe_connections = 8;  // more, where only probes are answered
  int timeout_ms = 10'000;
  size_t most_answer_bytes = size_t{32} << 20;
  std::optional<Certificate> certificate = {};  // absent: it speaks plain HTTP
};

class Server {
 public:
  /// Listens and begins to serve. kConfiguration: the address cannot be had. `source` must outlive it.
  /// `control`, too; null: nothing can be changed through it.
  static Result<std::unique_ptr<Server>> Start(const StatusSource* source, const ServerOptions& options,
                                               Control* control = nullptr);
  /// kConfiguration: a server could not listen there now. No client can connect to the address meanwhile.
  static fensi::Status CheckAddress(const Address& address);
  /// kConfiguration names the flag whose file is not right, and why.
  static fensi::Status CheckCertificate(const Certificate& certificate);
  /// Ends all connections and the thread, at once.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// As it came to be: with the port that was found.
  const Address& address() const;
  /// Whoever asks from here on needs this one; empty: none. Any thread; returns at once.
  void SetToken(const std::string& token);
  /// Of a server in TLS, for connections that begin from here on. kConfiguration: nothing has changed. Any thread.
  fensi::Status UseCertificate(const Certificate& certificate);

 private:
  class Engine;
  explicit Server(std::unique_ptr<Engine> engine);
  const std::unique_ptr<Engine> engine_;
};

}  // namespace fensi::admin
