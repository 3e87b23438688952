#include "capture/rpc/kerberos.h"

#include <gssapi/gssapi.h>
#include <gssapi/gssapi_ext.h>
#include <gssapi/gssapi_krb5.h>

#include <utility>

#include "base/bytes.h"
#include "capture/peer_filter.h"
#include "hbase/security/gss.h"

namespace fensi::capture {
namespace {

constexpr size_t kMostShownOfName = 200;

using hbase::GssBuffer;
using hbase::GssText;
using hbase::KerberosDenied;
using hbase::SaslLayers;

class GssSession final : public KerberosSession {
 public:
  GssSession(gss_cred_id_t key, const KerberosOptions& options, const PrincipalFilter& filter)
      : key_(key), options_(options), filter_(filter) {}

  Result<std::string> Step(std::string_view token) override;
  bool done() const override { return step_ == Next::kNothing; }
  std::string CauseOfEnd() const override;
  const std::string& principal() const override { return principal_; }
  Qop qop() const override { return qop_; }
  Result<std::string> Wrap(std::string_view plain) override { return context_.Wrap(plain, qop_ == Qop::kAuthConf); }
  Status Unwrap(std::string* bytes, std::string_view* plain) override { return context_.Unwrap(bytes, qop_, plain); }

 private:
  enum class Next : uint8_t { kTicket, kEmpty, kChoice, kNothing };

  Result<std::string> TakeTicket(std::string_view token);
  Status TakeName(gss_name_t name);
  Result<std::string> Offer();
  Status TakeChoice(std::string_view token);

  const gss_cred_id_t key_;
  const KerberosOptions& options_;
  const PrincipalFilter& filter_;
  hbase::GssContext context_;
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
  if (step_ == Next::kEmpty)
    return token.empty() ? Offer()
                         : KerberosDenied(
                               "the client sent an unexpected token in the handshake. Check that a region server runs "
                               "there");
  if (step_ == Next::kNothing)
    return KerberosDenied("the client sent a token after the handshake. Check that a region server runs there");
  const Status chosen = TakeChoice(token);
  if (!chosen.ok()) return chosen;
  step_ = Next::kNothing;
  return std::string();
}

Result<std::string> GssSession::TakeTicket(std::string_view token) {
  gss_buffer_desc in = hbase::LentToGss(token);
  GssBuffer out;
  OM_uint32 minor = 0;
  gss_name_t name = GSS_C_NO_NAME;
  const OM_uint32 major = gss_accept_sec_context(&minor, context_.handle(), key_, &in, GSS_C_NO_CHANNEL_BINDINGS, &name,
                                                 nullptr, out.out(), &flags_, nullptr, nullptr);
  if (GSS_ERROR(major)) return KerberosDenied(AdviceOnHandshake(GssText(major, minor), options_.principal));
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
  FENSI_ASSIGN_OR_RETURN(principal_, hbase::GssNameText(name));
  if (filter_.Allows(principal_)) return Status();
  return KerberosDenied(
      "the principal " + EscapeSome(principal_, kMostShownOfName) +
      " may not send edits. If a region server has this principal, add it to --allow_principal, which "
      "has " +
      filter_.Text());
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
  return context_.Wrap(hbase::WrittenLayers({.qops = offered_, .acts_for = {}}), /*sealed=*/false);
}

std::string GssSession::CauseOfEnd() const {
  const std::string config =
      " in the CONFIG of the replication peer: the command of the capture prints this setting with --plan";
  if (!begun_) {
    return "the region server ended the handshake before it sent a ticket. Probably its KDC gave it no ticket for " +
           options_.principal +
           ", and its log says why. Create this principal in the KDC, and set "
           "hbase.regionserver.kerberos.principal to it" +
           config;
  }
  if (step_ == Next::kNothing) return "";
  return "the region server does not protect its calls as --rpc_qop=" + std::string(QopName(options_.least)) +
         " demands, or it refused the ticket of the capture. Set hbase.rpc.protection to " +
         std::string(ProtectionName(options_.least)) + config;
}

Status GssSession::TakeChoice(std::string_view token) {
  FENSI_ASSIGN_OR_RETURN(const std::string plain, context_.UnwrapToken(token));
  SaslLayers chosen;
  if (!hbase::ReadLayers(plain, &chosen))
    return KerberosDenied("the last token of the handshake is too short. Check that a region server runs there");
  for (const Qop qop : kQops) {
    if (chosen.qops == BitOf(qop) && (offered_ & BitOf(qop)) != 0) {
      qop_ = qop;
      if (chosen.acts_for.empty() || chosen.acts_for == principal_) return Status();
      return KerberosDenied("the principal " + EscapeSome(principal_, kMostShownOfName) +
                            " may not act for another user, and the client asked for this. Check that a region server "
                            "runs there");
    }
  }
  return Status(StatusCode::kConfiguration, CauseOfEnd());
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
    return Status(StatusCode::kConfiguration, std::string(flag) + ": " + GssText(major, minor));
  };
  gss_buffer_desc text = hbase::LentToGss(options_.principal);
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

std::string AdviceOnHandshake(const std::string& words, const std::string& principal) {
  const auto says = [&words](std::string_view part) { return words.find(part) != std::string::npos; };
  if (says("Clock skew")) {
    return words +
           ": the clocks of the region server and of this machine differ by more than Kerberos allows (5 min). Correct "
           "both clocks (NTP)";
  }
  if (says("Ticket expired") || says("Ticket not yet valid")) {
    return words +
           ": compare the clocks of the region server and of this machine. If both are right, do nothing: the next "
           "connection of the server brings a new ticket";
  }
  const auto is_other = [&](std::string_view before) {
    const size_t asked = words.find(before);
    return asked != std::string::npos && words.compare(asked + before.size(), principal.size(), principal) != 0;
  };
  if (is_other("equest ticket server ") || is_other("decrypt ticket for ") || says("Wrong principal") ||
      says("does not match any keys")) {
    return words + ": the region server requested another principal than " + principal +
           ". Set hbase.regionserver.kerberos.principal to " + principal + " in the CONFIG of the replication peer";
  }
  if (says("keytab") || says("integrity check failed") || says("kvno")) {
    return words + ": --rpc_keytab has old keys of " + principal + ". Write the keytab again with ktadd of kadmin";
  }
  if (says("replay cache")) {
    return words + ": set the variable KRB5RCACHEDIR to a folder in which this process may write";
  }
  return words;
}

Result<std::shared_ptr<const KerberosAcceptor>> KerberosAcceptor::Create(const KerberosOptions& options) {
  auto acceptor = std::make_shared<GssAcceptor>(options);
  FENSI_RETURN_IF_ERROR(acceptor->Open());
  return std::shared_ptr<const KerberosAcceptor>(std::move(acceptor));
}

}  // namespace fensi::capture
