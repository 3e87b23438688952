#include "capture/rpc/kerberos.h"

#include <gssapi/gssapi.h>
#include <gssapi/gssapi_ext.h>
#include <gssapi/gssapi_krb5.h>

#include <array>
#include <utility>

#include "base/bytes.h"
#include "capture/peer_filter.h"

namespace fensi::capture {
namespace {

/// SASL's limit of a message, a field of three bytes; the frames bound what we read.
constexpr std::string_view kMostOfField = "\xff\xff\xff";
constexpr size_t kMostShownOfName = 200;

/// The text of one code; the library keeps the details of the last error of a thread.
std::string WordsOfCode(OM_uint32 code, int type) {
  OM_uint32 ignored = 0, more = 0;
  gss_buffer_desc text = GSS_C_EMPTY_BUFFER;
  if (gss_display_status(&ignored, code, type, gss_mech_krb5, &more, &text) != GSS_S_COMPLETE) return "";
  std::string words(static_cast<const char*>(text.value), text.length);
  gss_release_buffer(&ignored, &text);
  return words;
}

/// The text of Kerberos; if there is none, the text of GSSAPI.
std::string WordsOf(OM_uint32 major, OM_uint32 minor) {
  std::string words = minor == 0 ? "" : WordsOfCode(minor, GSS_C_MECH_CODE);
  return words.empty() ? WordsOfCode(major, GSS_C_GSS_CODE) : words;
}

/// A buffer that the library made.
class GssBuffer {
 public:
  GssBuffer() = default;
  ~GssBuffer() {
    OM_uint32 ignored = 0;
    gss_release_buffer(&ignored, &buffer_);
  }
  GssBuffer(const GssBuffer&) = delete;
  GssBuffer& operator=(const GssBuffer&) = delete;

  gss_buffer_t out() { return &buffer_; }
  std::string_view view() const { return {static_cast<const char*>(buffer_.value), buffer_.length}; }

 private:
  gss_buffer_desc buffer_ = GSS_C_EMPTY_BUFFER;
};

/// The library reads it, and does not write it.
gss_buffer_desc Lent(std::string_view bytes) { return {bytes.size(), const_cast<char*>(bytes.data())}; }

Status Denied(std::string why) { return Status(StatusCode::kPermission, "Kerberos: " + std::move(why)); }

class GssSession final : public KerberosSession {
 public:
  GssSession(gss_cred_id_t key, const KerberosOptions& options, const PrincipalFilter& filter)
      : key_(key), options_(options), filter_(filter) {}
  ~GssSession() override {
    OM_uint32 ignored = 0;
    gss_delete_sec_context(&ignored, &context_, GSS_C_NO_BUFFER);
  }
  GssSession(const GssSession&) = delete;
  GssSession& operator=(const GssSession&) = delete;

  Result<std::string> Step(std::string_view token) override;
  bool done() const override { return step_ == Next::kNothing; }
  std::string CauseOfEnd() const override;
  const std::string& principal() const override { return principal_; }
  Qop qop() const override { return qop_; }
  Result<std::string> Wrap(std::string_view plain) override { return Wrap(plain, qop_ == Qop::kAuthConf); }
  Status Unwrap(std::string* bytes, std::string_view* plain) override;

 private:
  enum class Next : uint8_t { kTicket, kEmpty, kChoice, kNothing };

  Result<std::string> TakeTicket(std::string_view token);
  Status TakeName(gss_name_t name);
  Result<std::string> Offer();
  Status TakeChoice(std::string_view token);
  Result<std::string> Wrap(std::string_view plain, bool sealed);

  const gss_cred_id_t key_;
  const KerberosOptions& options_;
  const PrincipalFilter& filter_;
  gss_ctx_id_t context_ = GSS_C_NO_CONTEXT;
  Next step_ = Next::kTicket;
  bool begun_ = false;
  OM_uint32 flags_ = 0;
  uint8_t offered_ = 0;
  std::string principal_;
  Qop qop_ = Qop::kAuth;
};

Result<std::string> GssSession::Step(std::string_view token) {
  begun_ = true;
  if (step_ == Next::kTicket) return TakeTicket(token);
  if (step_ == Next::kEmpty) return token.empty() ? Offer() : Denied("a token came where none was expected");
  if (step_ == Next::kNothing) return Denied("a token came after the handshake");
  const Status chosen = TakeChoice(token);
  if (!chosen.ok()) return chosen;
  step_ = Next::kNothing;
  return std::string();
}

Result<std::string> GssSession::TakeTicket(std::string_view token) {
  gss_buffer_desc in = Lent(token);
  GssBuffer out;
  OM_uint32 minor = 0;
  gss_name_t name = GSS_C_NO_NAME;
  const OM_uint32 major = gss_accept_sec_context(&minor, &context_, key_, &in, GSS_C_NO_CHANNEL_BINDINGS, &name,
                                                 nullptr, out.out(), &flags_, nullptr, nullptr);
  if (GSS_ERROR(major)) return Denied(AdviceOnHandshake(WordsOf(major, minor), options_.principal));
  if ((major & GSS_S_CONTINUE_NEEDED) != 0) return std::string(out.view());
  const Status known = TakeName(name);
  OM_uint32 ignored = 0;
  gss_release_name(&ignored, &name);
  FENSI_RETURN_IF_ERROR(known);
  if (out.view().empty()) return Offer();
  step_ = Next::kEmpty;
  return std::string(out.view());
}

Status GssSession::TakeName(gss_name_t name) {
  GssBuffer text;
  OM_uint32 minor = 0;
  const OM_uint32 major = gss_display_name(&minor, name, text.out(), nullptr);
  if (major != GSS_S_COMPLETE) return Denied(WordsOf(major, minor));
  principal_ = text.view();
  if (filter_.Allows(principal_)) return Status();
  return Denied("the principal " + EscapeSome(principal_, kMostShownOfName) +
                " may not send edits: --allow_principal has " + filter_.Text());
}

/// The ways of protection that both sides can have: one byte, then how much we take at once.
Result<std::string> GssSession::Offer() {
  const bool whole = (flags_ & GSS_C_INTEG_FLAG) != 0, secret = (flags_ & GSS_C_CONF_FLAG) != 0;
  offered_ = 0;
  for (const Qop qop : kQops) {
    const bool can = qop == Qop::kAuth || (qop == Qop::kAuthInt ? whole : secret);
    if (can && qop >= options_.least) offered_ |= BitOf(qop);
  }
  if (offered_ == 0) return Status(StatusCode::kConfiguration, CauseOfEnd());
  step_ = Next::kChoice;
  return Wrap(static_cast<char>(offered_) + std::string(kMostOfField), false);
}

std::string GssSession::CauseOfEnd() const {
  const std::string config = " in the CONFIG of the replication peer ('fensi capture --plan' prints it)";
  if (!begun_) {
    return "it ended the handshake before it sent a ticket: it may have got none for " + options_.principal +
           ". Its log says why. The KDC must have that principal, and hbase.regionserver.kerberos.principal" + config +
           " must name it";
  }
  if (step_ == Next::kNothing) return "";
  return "it does not protect its calls as this capture demands (--rpc_qop=" + std::string(QopName(options_.least)) +
         "), or did not take our ticket: hbase.rpc.protection=" + std::string(ProtectionName(options_.least)) + config +
         " is needed";
}

/// Whether bytes begin as a wrapped message of RFC 4121, 4.2.6.2. MIT's library (1.20.1) crashes on messages of the
/// older form (RFC 1964) if the key is a newer one: it reads the form before it verifies the message.
Status CheckIsWrapped(std::string_view bytes) {
  if (bytes.starts_with("\x05\x04")) return Status();
  return Denied(
      "a message is not wrapped as RFC 4121 wants it. Clients with RC4 or DES keys wrap in another way: have the KDC "
      "give them AES keys");
}

Status GssSession::TakeChoice(std::string_view token) {
  FENSI_RETURN_IF_ERROR(CheckIsWrapped(token));
  gss_buffer_desc in = Lent(token);
  GssBuffer plain;
  OM_uint32 minor = 0;
  const OM_uint32 major = gss_unwrap(&minor, context_, &in, plain.out(), nullptr, nullptr);
  if (major != GSS_S_COMPLETE) return Denied(WordsOf(major, minor));
  const std::string_view choice = plain.view();
  if (choice.size() < 4) return Denied("the last token of the handshake is too short");
  for (const Qop qop : kQops) {
    if (static_cast<uint8_t>(choice[0]) == BitOf(qop) && (offered_ & BitOf(qop)) != 0) {
      qop_ = qop;
      const std::string_view wanted = choice.substr(4);
      if (wanted.empty() || wanted == principal_) return Status();
      return Denied("the principal " + EscapeSome(principal_, kMostShownOfName) + " may not act for another one");
    }
  }
  return Status(StatusCode::kConfiguration, CauseOfEnd());
}

Result<std::string> GssSession::Wrap(std::string_view plain, bool sealed) {
  gss_buffer_desc in = Lent(plain);
  GssBuffer out;
  OM_uint32 minor = 0;
  int is_sealed = 0;
  const OM_uint32 major = gss_wrap(&minor, context_, sealed ? 1 : 0, GSS_C_QOP_DEFAULT, &in, &is_sealed, out.out());
  if (major != GSS_S_COMPLETE || (sealed && is_sealed == 0)) return Denied(WordsOf(major, minor));
  return std::string(out.view());
}

Status GssSession::Unwrap(std::string* bytes, std::string_view* plain) {
  FENSI_RETURN_IF_ERROR(CheckIsWrapped(*bytes));
  std::array<gss_iov_buffer_desc, 2> parts{};
  parts[0].type = GSS_IOV_BUFFER_TYPE_STREAM;
  parts[0].buffer = {bytes->size(), bytes->data()};
  parts[1].type = GSS_IOV_BUFFER_TYPE_DATA;
  OM_uint32 minor = 0;
  int sealed = 0;
  const OM_uint32 major = gss_unwrap_iov(&minor, context_, &sealed, nullptr, parts.data(), parts.size());
  if (major != GSS_S_COMPLETE) return Denied(WordsOf(major, minor));  // a repeated or missing message, too
  if (qop_ == Qop::kAuthConf && sealed == 0) return Denied("a message is not encrypted, and auth-conf was agreed on");
  *plain = {static_cast<const char*>(parts[1].buffer.value), parts[1].buffer.length};
  return Status();
}

class GssAcceptor final : public KerberosAcceptor {
 public:
  explicit GssAcceptor(const KerberosOptions& options) : options_(options), filter_(options.allowed) {}
  ~GssAcceptor() override {
    OM_uint32 ignored = 0;
    gss_release_cred(&ignored, &key_);
  }
  GssAcceptor(const GssAcceptor&) = delete;
  GssAcceptor& operator=(const GssAcceptor&) = delete;

  Status Open();
  std::unique_ptr<KerberosSession> Begin() const override {
    return std::make_unique<GssSession>(key_, options_, filter_);
  }

 private:
  const KerberosOptions options_;
  const PrincipalFilter filter_;
  gss_cred_id_t key_ = GSS_C_NO_CREDENTIAL;
};

Status GssAcceptor::Open() {
  const auto fault = [](const char* flag, OM_uint32 major, OM_uint32 minor) {
    return Status(StatusCode::kConfiguration, std::string(flag) + ": " + WordsOf(major, minor));
  };
  gss_buffer_desc text = Lent(options_.principal);
  OM_uint32 minor = 0, ignored = 0;
  gss_name_t name = GSS_C_NO_NAME;
  OM_uint32 major = gss_import_name(&minor, &text, GSS_KRB5_NT_PRINCIPAL_NAME, &name);
  if (major != GSS_S_COMPLETE) return fault("--rpc_principal", major, minor);
  const std::string keytab = "FILE:" + options_.keytab;
  gss_key_value_element_desc place{"keytab", keytab.c_str()};
  const gss_key_value_set_desc store{1, &place};
  gss_OID_set_desc kerberos{1, gss_mech_krb5};
  major =
      gss_acquire_cred_from(&minor, name, GSS_C_INDEFINITE, &kerberos, GSS_C_ACCEPT, &store, &key_, nullptr, nullptr);
  gss_release_name(&ignored, &name);
  if (major == GSS_S_COMPLETE) return Status();
  return fault(("--rpc_keytab: " + options_.keytab + " has no key of --rpc_principal " + options_.principal).c_str(),
               major, minor);
}

}  // namespace

std::string_view ProtectionName(Qop qop) {
  if (qop == Qop::kAuth) return "authentication";
  return qop == Qop::kAuthInt ? "integrity" : "privacy";
}

std::string AdviceOnHandshake(const std::string& words, const std::string& principal) {
  const auto says = [&words](std::string_view part) { return words.find(part) != std::string::npos; };
  if (says("Clock skew")) {
    return words + ": the clocks of the region server and of this machine differ by more than Kerberos allows (5 min)";
  }
  if (says("Ticket expired") || says("Ticket not yet valid")) {
    return words +
           ": compare the clocks of the region server and of this machine; its next connection brings a new "
           "ticket";
  }
  const auto is_other = [&](std::string_view before) {
    const size_t asked = words.find(before);
    return asked != std::string::npos && words.compare(asked + before.size(), principal.size(), principal) != 0;
  };
  if (is_other("equest ticket server ") || is_other("decrypt ticket for ") || says("Wrong principal") ||
      says("does not match any keys")) {
    return words + ": the region server asked for another principal than " + principal +
           ": hbase.regionserver.kerberos.principal in the peer's CONFIG must name it";
  }
  if (says("keytab") || says("integrity check failed") || says("kvno")) {
    return words + ": --rpc_keytab has old keys of " + principal + "; write it again (ktadd)";
  }
  if (says("replay cache")) return words + ": KRB5RCACHEDIR must name a folder that this process may write";
  return words;
}

Result<std::shared_ptr<const KerberosAcceptor>> KerberosAcceptor::Create(const KerberosOptions& options) {
  auto acceptor = std::make_shared<GssAcceptor>(options);
  FENSI_RETURN_IF_ERROR(acceptor->Open());
  return std::shared_ptr<const KerberosAcceptor>(std::move(acceptor));
}

}  // namespace fensi::capture
