// The asking side of Kerberos, as HBase's client plays it: the ticket, the answer, the choice of protection; then
// messages. With the keys of KRB5_CLIENT_KTNAME, in the realm that tests/support/kerberos_realm.py has made.
#pragma once

#include <gssapi/gssapi.h>

#include <string>

#include "capture/rpc/kerberos.h"
#include "tests/capture/fake_region_server.h"

namespace fensi::capture {

class KerberosInitiator {
 public:
  struct Wish {
    std::string server = "hbase/localhost@FENSI.TEST";
    Qop qop = Qop::kAuthConf;
    std::string acts_for = {};
  };

  explicit KerberosInitiator(Wish wish);
  ~KerberosInitiator();
  KerberosInitiator(const KerberosInitiator&) = delete;
  KerberosInitiator& operator=(const KerberosInitiator&) = delete;

  /// The next token for the server; empty `challenge` first. error() says why there is none.
  std::string Step(const std::string& challenge);
  const std::string& error() const { return error_; }
  /// What the server offers, as bits.
  int offered() const { return offered_; }

  std::string Wrap(const std::string& plain, bool sealed);
  std::string Wrap(const std::string& plain) { return Wrap(plain, wish_.qop == Qop::kAuthConf); }
  std::string Unwrap(const std::string& wrapped);

 private:
  const Wish wish_;
  gss_ctx_id_t context_ = GSS_C_NO_CONTEXT;
  gss_name_t server_ = GSS_C_NO_NAME;
  bool established_ = false;
  int offered_ = 0;
  std::string error_;
};

/// A region server that comes with Kerberos.
class KerberosRegionServer {
 public:
  explicit KerberosRegionServer(uint16_t port, KerberosInitiator::Wish wish = {})
      : wish_(wish), initiator_(std::move(wish)), wire_(port) {}

  /// Preamble and handshake. False: refused; error() says what it was told.
  bool Shake();
  const std::string& error() const { return error_; }

  /// As they are, or in one message, by the protection that was agreed on.
  bool Send(const std::string& bytes);
  FakeRegionServer::Reply Receive();
  FakeRegionServer& wire() { return wire_; }
  KerberosInitiator& initiator() { return initiator_; }

 private:
  bool Read(std::string* token);

  const KerberosInitiator::Wish wish_;
  KerberosInitiator initiator_;
  FakeRegionServer wire_;
  std::string error_;
};

inline std::string KerberosPreambleBytes() { return FromHex("48426173 00 51"); }

}  // namespace fensi::capture
