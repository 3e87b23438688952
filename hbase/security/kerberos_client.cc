#include "hbase/security/kerberos_client.h"

#include <gssapi/gssapi_krb5.h>

#include <algorithm>
#include <utility>

namespace fensi::hbase {
namespace {

constexpr std::string_view kServersHost = "_HOST";

/// Owns a name of the library.
class GssName {
 public:
  GssName() = default;
  ~GssName() { Release(); }
  GssName(const GssName&) = delete;
  GssName& operator=(const GssName&) = delete;

  gss_name_t get() const { return name_; }
  gss_name_t* out() { return &name_; }
  gss_name_t Give() { return std::exchange(name_, GSS_C_NO_NAME); }

 private:
  void Release() {
    OM_uint32 ignored = 0;
    if (name_ != GSS_C_NO_NAME) gss_release_name(&ignored, &name_);
  }
  gss_name_t name_ = GSS_C_NO_NAME;
};

Status BadName(const std::string& name, OM_uint32 major, OM_uint32 minor) {
  return Status(StatusCode::kConfiguration, "Kerberos: the principal " + name + ": " + GssText(major, minor));
}

Status Import(const std::string& text, gss_OID type, GssName* name) {
  gss_buffer_desc in = LentToGss(text);
  GssName imported;
  OM_uint32 minor = 0;
  OM_uint32 major = gss_import_name(&minor, &in, type, imported.out());
  if (major == GSS_S_COMPLETE) major = gss_canonicalize_name(&minor, imported.get(), gss_mech_krb5, name->out());
  return major == GSS_S_COMPLETE ? Status() : BadName(text, major, minor);
}

}  // namespace

KerberosClient::~KerberosClient() {
  OM_uint32 ignored = 0;
  if (name_ != GSS_C_NO_NAME) gss_release_name(&ignored, &name_);
}

/// krb5.conf says whether the name service makes the host canonical (dns_canonicalize_hostname, rdns).
Status KerberosClient::ImportServer() {
  const std::string& wanted = target_.principal;
  const size_t slash = wanted.find('/'), at = wanted.find('@');
  const std::string service = wanted.substr(0, std::min(slash, at));
  GssName name;
  FENSI_RETURN_IF_ERROR(Import(service + "@" + target_.host, GSS_C_NT_HOSTBASED_SERVICE, &name));
  FENSI_ASSIGN_OR_RETURN(server_, GssNameText(name.get()));
  if (slash == std::string::npos) {
    if (server_.ends_with('@')) server_.pop_back();  // the KDC knows the realm
    name_ = name.Give();
    return {};
  }
  std::string host = wanted.substr(slash + 1, at == std::string::npos ? at : at - slash - 1);
  if (host == kServersHost) host = server_.substr(slash + 1, server_.rfind('@') - slash - 1);
  std::transform(host.begin(), host.end(), host.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c | 0x20 : c; });
  server_ = service + "/" + host + (at == std::string::npos ? "" : wanted.substr(at));
  GssName fixed;
  FENSI_RETURN_IF_ERROR(Import(server_, GSS_KRB5_NT_PRINCIPAL_NAME, &fixed));
  name_ = fixed.Give();
  return {};
}

Result<std::string> KerberosClient::Step(std::string_view challenge) {
  switch (step_) {
    case Next::kTicket:
      return AskForContext(challenge);
    case Next::kLayers:
      return Choose(challenge);
    default:
      return NotHBase("the server sent a token after the handshake");
  }
}

Result<std::string> KerberosClient::AskForContext(std::string_view challenge) {
  if (name_ == GSS_C_NO_NAME) FENSI_RETURN_IF_ERROR(ImportServer());
  OM_uint32 flags = GSS_C_MUTUAL_FLAG | GSS_C_INTEG_FLAG | GSS_C_SEQUENCE_FLAG | GSS_C_REPLAY_FLAG;
  if (seals()) flags |= GSS_C_CONF_FLAG;
  gss_buffer_desc in = LentToGss(challenge);
  GssBuffer out;
  OM_uint32 minor = 0, granted = 0;
  const OM_uint32 major =
      gss_init_sec_context(&minor, GSS_C_NO_CREDENTIAL, context_.handle(), name_, gss_mech_krb5, flags, 0,
                           GSS_C_NO_CHANNEL_BINDINGS, &in, nullptr, out.out(), &granted, nullptr);
  if (GSS_ERROR(major)) return FaultOfLogin(GssText(major, minor), server_, HasKerberosKeytab());
  if (major == GSS_S_COMPLETE) {
    if ((granted & flags) != flags) return NotHBase(server_ + " did not authenticate itself to fensi");
    FENSI_RETURN_IF_ERROR(LearnUser());
    step_ = Next::kLayers;
  }
  return std::string(out.view());
}

Status KerberosClient::LearnUser() {
  GssName name;
  OM_uint32 minor = 0;
  const OM_uint32 major =
      gss_inquire_context(&minor, *context_.handle(), name.out(), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
  if (major != GSS_S_COMPLETE) return KerberosDenied(GssText(major, minor));
  FENSI_ASSIGN_OR_RETURN(user_, GssNameText(name.get()));
  return {};
}

Result<std::string> KerberosClient::Choose(std::string_view challenge) {
  FENSI_ASSIGN_OR_RETURN(const std::string plain, context_.UnwrapToken(challenge));
  SaslLayers offered;
  if (!ReadLayers(plain, &offered)) return NotHBase("the last token of the server is too short");
  if ((offered.qops & BitOf(target_.qop)) == 0) {
    const std::string theirs = ProtectionNames(offered.qops);
    return Status(StatusCode::kConfiguration, "Kerberos: the server's hbase.rpc.protection is " +
                                                  (theirs.empty() ? "another" : theirs) +
                                                  ", and --store_qop=" + std::string(QopName(target_.qop)) + " needs " +
                                                  std::string(ProtectionName(target_.qop)) + ". Give both the same");
  }
  if (wraps()) most_plain_bytes_ = context_.MostPlainBytes(offered.most_bytes, seals());
  if (wraps() && most_plain_bytes_ == 0) return NotHBase("the server accepts no message of any length");
  step_ = Next::kNothing;
  return context_.Wrap(WrittenLayers({.qops = BitOf(target_.qop), .acts_for = {}}), /*sealed=*/false);
}

Status FaultOfLogin(const std::string& words, const std::string& server, bool has_keytab) {
  const std::string silent = IsKdcUnreachable(words, has_keytab);
  if (!silent.empty()) return Status(StatusCode::kUnavailable, "Kerberos: " + silent);
  return KerberosDenied("login to " + server + ": " + words +
                        RemedyOfLogin(words, "hbase.regionserver.kerberos.principal"));
}

}  // namespace fensi::hbase
