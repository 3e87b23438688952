#include "tests/hbase/kerberos_server.h"

#include <gssapi/gssapi.h>

#include <algorithm>
#include <utility>

#include "hbase/wire/framing.h"
#include "proto/hbase_rpc.pb.h"

namespace fensi::hbase {
namespace {

constexpr uint32_t kSimple = static_cast<uint32_t>(-88);
constexpr size_t kSpreadBytes = 5;

std::string Take(gss_buffer_desc* buffer) {
  std::string bytes(static_cast<const char*>(buffer->value), buffer->length);
  OM_uint32 ignored = 0;
  gss_release_buffer(&ignored, buffer);
  return bytes;
}
gss_buffer_desc Lend(std::string_view bytes) { return {bytes.size(), const_cast<char*>(bytes.data())}; }

/// A context; the library does not say that two threads may use it.
class Context {
 public:
  ~Context() {
    OM_uint32 ignored = 0;
    gss_delete_sec_context(&ignored, &context_, GSS_C_NO_BUFFER);
  }
  bool Accept(const std::string& token, std::string* answer, std::string* client) {
    gss_buffer_desc in = Lend(token), out = GSS_C_EMPTY_BUFFER;
    gss_name_t name = GSS_C_NO_NAME;
    OM_uint32 minor = 0;
    const OM_uint32 major =
        gss_accept_sec_context(&minor, &context_, GSS_C_NO_CREDENTIAL, &in, GSS_C_NO_CHANNEL_BINDINGS, &name, nullptr,
                               &out, nullptr, nullptr, nullptr);
    *answer = Take(&out);
    if (major != GSS_S_COMPLETE) return false;
    gss_buffer_desc text = GSS_C_EMPTY_BUFFER;
    gss_display_name(&minor, name, &text, nullptr);
    *client = Take(&text);
    gss_release_name(&minor, &name);
    return true;
  }
  std::string Wrap(std::string_view plain, bool sealed) {
    const std::lock_guard lock(mu_);
    gss_buffer_desc in = Lend(plain), out = GSS_C_EMPTY_BUFFER;
    OM_uint32 minor = 0;
    gss_wrap(&minor, context_, sealed ? 1 : 0, GSS_C_QOP_DEFAULT, &in, nullptr, &out);
    return Take(&out);
  }
  bool Unwrap(std::string_view wrapped, std::string* plain, bool* sealed) {
    const std::lock_guard lock(mu_);
    gss_buffer_desc in = Lend(wrapped), out = GSS_C_EMPTY_BUFFER;
    OM_uint32 minor = 0;
    int is_sealed = 0;
    const OM_uint32 major = gss_unwrap(&minor, context_, &in, &out, &is_sealed, nullptr);
    *plain = Take(&out);
    *sealed = is_sealed != 0;
    return major == GSS_S_COMPLETE;
  }

 private:
  std::mutex mu_;
  gss_ctx_id_t context_ = GSS_C_NO_CONTEXT;
};

/// Bytes in wrapped messages.
class KerberosWire final : public Wire {
 public:
  KerberosWire(std::unique_ptr<Wire> below, std::unique_ptr<Context> context, Qop qop, KerberosServer* server)
      : Wire(below->socket()), below_(std::move(below)), context_(std::move(context)), qop_(qop), server_(server) {}

  bool Read(size_t bytes, std::string* into) override {
    std::string message, plain;
    bool sealed = false;
    while (came_.size() < bytes) {
      if (!below_->ReadFrame(&message) || message.size() > server_->most_bytes) return false;
      if (!context_->Unwrap(message, &plain, &sealed) || sealed != (qop_ == Qop::kAuthConf)) return false;
      ++server_->messages;
      came_ += plain;
    }
    *into = came_.substr(0, bytes);
    came_.erase(0, bytes);
    return true;
  }

  void Send(std::string_view bytes) override {
    using Style = KerberosServer::Style;
    const Style style = server_->style;
    if (style == Style::kUnwrapped) return below_->Send(bytes);
    if (style == Style::kTogether) return SendMessage(Framed(EmptyAnswer()) + std::string(bytes), style);
    const size_t most = style == Style::kSpread ? kSpreadBytes : bytes.size();
    for (; !bytes.empty(); bytes.remove_prefix(std::min(most, bytes.size()))) SendMessage(bytes.substr(0, most), style);
  }

 private:
  /// Of a call that nobody made: a client drops it.
  static std::string EmptyAnswer() {
    proto::hbase::ResponseHeader header;
    header.set_call_id(0);
    return Delimited(header) + DelimitedBytes("");
  }

  void SendMessage(std::string_view plain, KerberosServer::Style style) {
    using Style = KerberosServer::Style;
    std::string message = context_->Wrap(plain, qop_ == Qop::kAuthConf && style != Style::kUnsealed);
    if (style == Style::kSpoiled) message[message.size() / 2] ^= 1;
    below_->Send(Framed(message));
    if (style == Style::kTwice) below_->Send(Framed(message));
  }

  const std::unique_ptr<Wire> below_;
  const std::unique_ptr<Context> context_;
  const Qop qop_;
  KerberosServer* const server_;
  std::string came_;  // unwrapped, and not read yet
};

std::string AccessDenied() {
  proto::hbase::ResponseHeader header;
  header.set_call_id(kNoCall);
  header.mutable_exception()->set_exception_class_name("org.apache.hadoop.hbase.security.AccessDeniedException");
  header.mutable_exception()->set_stack_trace(
      "org.apache.hadoop.hbase.security.AccessDeniedException: Authentication is required");
  return Framed(Delimited(header));
}

}  // namespace

std::string KerberosServer::client() {
  const std::lock_guard lock(mu_);
  return client_;
}

std::unique_ptr<Wire> KerberosServer::Greet(std::unique_ptr<Wire> wire) {
  std::string bytes, token;
  if (!wire->Read(6, &bytes)) return nullptr;
  if (static_cast<uint8_t>(bytes[5]) == kAuthSimple) {
    wire->ReadFrame(&bytes);  // the header
    wire->Send(AccessDenied());
    wire->Read(1 << 20, &bytes);  // until the client ends it
    return nullptr;
  }
  if (is_silent) {
    wire->Read(1 << 20, &bytes);
    return nullptr;
  }
  if (asks_for_simple) {
    if (!wire->ReadFrame(&token)) return nullptr;
    wire->Send(BigEndian32(kSaslSuccess) + BigEndian32(kSimple));
    return wire;
  }
  if (!refusal.empty()) {
    if (!wire->ReadFrame(&token)) return nullptr;
    wire->Send(BigEndian32(kSaslError) + Framed("javax.security.sasl.SaslException") + Framed(refusal));
    return nullptr;
  }
  return Accept(std::move(wire));
}

std::unique_ptr<Wire> KerberosServer::Accept(std::unique_ptr<Wire> wire) {
  auto context = std::make_unique<Context>();
  std::string token, answer, name;
  int left = close_after;
  const auto send = [&](const std::string& challenge) {
    const std::string bytes = BigEndian32(kSaslSuccess) + Framed(challenge);
    const bool cuts = left >= 0 && static_cast<size_t>(left) < bytes.size();
    wire->Send(cuts ? std::string_view(bytes).substr(0, static_cast<size_t>(left)) : std::string_view(bytes));
    if (left >= 0) left -= static_cast<int>(bytes.size());
    return !cuts;
  };
  if (!wire->ReadFrame(&token)) return nullptr;
  if (!context->Accept(token, &answer, &name)) {
    wire->Send(BigEndian32(kSaslError) + Framed("javax.security.sasl.SaslException") + Framed("GSS initiate failed"));
    return nullptr;
  }
  if (!send(answer) || !wire->Read(4, &token) || ReadBigEndian32(token) != 0) return nullptr;
  std::string layers(1, static_cast<char>(offers));
  layers += BigEndian32(most_bytes).substr(1);
  if (!send(context->Wrap(layers, false)) || !wire->ReadFrame(&token)) return nullptr;
  std::string choice;
  bool sealed = false;
  if (!context->Unwrap(token, &choice, &sealed) || choice.size() != 4 || (choice[0] & offers) == 0) return nullptr;
  {
    const std::lock_guard lock(mu_);
    client_ = name;
  }
  ++logins;
  const auto qop = static_cast<Qop>(choice[0]);
  if (qop == Qop::kAuth) return wire;
  return std::make_unique<KerberosWire>(std::move(wire), std::move(context), qop, this);
}

}  // namespace fensi::hbase
