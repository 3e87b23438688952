#include "store/hbase/wire/kerberos_session.h"

#include <sasl/sasl.h>

#include <array>
#include <cstdint>
#include <vector>

#include "base/kerberos.h"

namespace fensi::store {
namespace {

constexpr char kMechanism[] = "GSSAPI";
/// Maximum that GSSAPI's plugin of Cyrus SASL unwraps; Java never splits a wrapped message.
constexpr unsigned kMostWrappedBytes = 0xFFFFFF;
constexpr unsigned kUsualPlainBytes = 60'000;  // if the gateway reports no limit

struct Strength {
  sasl_ssf_t least, most;
};

/// In the library's terms: 0 nothing, 1 unchanged, above it encrypted.
Strength StrengthOf(Qop qop) {
  if (qop == Qop::kAuth) return {0, 0};
  if (qop == Qop::kAuthInt) return {1, 1};
  return {2, UINT16_MAX};
}

int NoUser(void*, int, const char** result, unsigned* length) {
  *result = "";  // the principal is who we are
  if (length != nullptr) *length = 0;
  return SASL_OK;
}

/// The library would write to the system's log; what it has to say is in the Status.
int NoLog(void*, int, const char*) { return SASL_OK; }

/// The library's lists have functions of any type, by C's way of forgetting it.
template <typename Function>
int (*Forgotten(Function* function))() {
  return reinterpret_cast<int (*)()>(reinterpret_cast<void (*)()>(function));
}

std::array<sasl_callback_t, 3> Callbacks() {
  return {{{SASL_CB_USER, Forgotten(&NoUser), nullptr},
           {SASL_CB_LOG, Forgotten(&NoLog), nullptr},
           {SASL_CB_LIST_END, nullptr, nullptr}}};
}

Status InitLibrary() {
  static const int result = sasl_client_init(nullptr);
  if (result == SASL_OK) return Status();
  return Status(StatusCode::kConfiguration, std::string("Cyrus SASL: ") + sasl_errstring(result, nullptr, nullptr));
}

class KerberosSession final : public SaslSession {
 public:
  KerberosSession(std::string service, std::string host, Qop qop)
      : service_(std::move(service)), host_(std::move(host)), qop_(qop), callbacks_(Callbacks()) {}
  ~KerberosSession() override { sasl_dispose(&connection_); }

  std::string mechanism() const override { return kMechanism; }
  Result<std::string> Start() override;
  Result<std::string> Step(const std::string& challenge) override;
  bool done() const override { return done_; }
  bool wraps() const override { return qop_ != Qop::kAuth; }
  size_t most_plain_bytes() const override;
  size_t most_wrapped_bytes() const override { return kMostWrappedBytes; }
  Result<std::string_view> Wrap(std::string_view plain) override;
  Result<std::string_view> Unwrap(std::string_view wrapped) override;

 private:
  Status Open();
  Result<std::string> Said(int result, const char* out, unsigned length);
  Status FaultOf(int result) const;

  const std::string service_;
  const std::string host_;
  const Qop qop_;
  const std::array<sasl_callback_t, 3> callbacks_;
  sasl_conn_t* connection_ = nullptr;
  bool done_ = false;
};

Status KerberosSession::Open() {
  FENSI_RETURN_IF_ERROR(InitLibrary());
  const int made =
      sasl_client_new(service_.c_str(), host_.c_str(), nullptr, nullptr, callbacks_.data(), 0, &connection_);
  if (made != SASL_OK) return FaultOf(made);
  const Strength strength = StrengthOf(qop_);
  sasl_security_properties_t wanted{};
  wanted.min_ssf = strength.least;
  wanted.max_ssf = strength.most;
  wanted.maxbufsize = kMostWrappedBytes;
  const int set = sasl_setprop(connection_, SASL_SEC_PROPS, &wanted);
  return set == SASL_OK ? Status() : FaultOf(set);
}

Status KerberosSession::FaultOf(int result) const {
  if (result == SASL_NOMECH) {
    return Status(
        StatusCode::kConfiguration,
        "Cyrus SASL has no GSSAPI here: install its plugin (in Debian the package libsasl2-modules-gssapi-mit)");
  }
  return FaultOfKerberos(
      connection_ == nullptr ? sasl_errstring(result, nullptr, nullptr) : sasl_errdetail(connection_),
      HasKerberosKeytab());
}

Result<std::string> KerberosSession::Said(int result, const char* out, unsigned length) {
  if (result != SASL_OK && result != SASL_CONTINUE) return FaultOf(result);
  done_ = result == SASL_OK;
  return out == nullptr ? std::string() : std::string(out, length);
}

Result<std::string> KerberosSession::Start() {
  FENSI_RETURN_IF_ERROR(Open());
  const char* out = nullptr;
  unsigned length = 0;
  const char* mechanism = nullptr;
  const int result = sasl_client_start(connection_, kMechanism, nullptr, &out, &length, &mechanism);
  return Said(result, out, length);
}

Result<std::string> KerberosSession::Step(const std::string& challenge) {
  const char* out = nullptr;
  unsigned length = 0;
  std::vector<char> taken(challenge.begin(), challenge.end());  // GSSAPI unwraps it where it stands
  const int result =
      sasl_client_step(connection_, taken.data(), static_cast<unsigned>(taken.size()), nullptr, &out, &length);
  if (result != SASL_TOOWEAK) return Said(result, out, length);
  const std::string offered = OfferedQops(challenge);
  return Status(StatusCode::kConfiguration, "the gateway's hbase.thrift.security.qop is " +
                                                (offered.empty() ? "another" : offered) + ", and --store_qop is " +
                                                std::string(QopName(qop_)) + ". Give both the same");
}

size_t KerberosSession::most_plain_bytes() const {
  const void* most = nullptr;
  if (sasl_getprop(connection_, SASL_MAXOUTBUF, &most) != SASL_OK || most == nullptr) return kUsualPlainBytes;
  const unsigned bytes = *static_cast<const unsigned*>(most);
  return bytes == 0 ? kUsualPlainBytes : bytes;
}

Result<std::string_view> KerberosSession::Wrap(std::string_view plain) {
  const char* out = nullptr;
  unsigned length = 0;
  const int result = sasl_encode(connection_, plain.data(), static_cast<unsigned>(plain.size()), &out, &length);
  if (result != SASL_OK) return FaultOf(result);
  return std::string_view(out, length);
}

Result<std::string_view> KerberosSession::Unwrap(std::string_view wrapped) {
  const char* out = nullptr;
  unsigned length = 0;
  const int result = sasl_decode(connection_, wrapped.data(), static_cast<unsigned>(wrapped.size()), &out, &length);
  if (result != SASL_OK) return FaultOf(result);
  return std::string_view(out, length);
}

}  // namespace

std::shared_ptr<SaslSession> MakeKerberosSession(const std::string& service, const std::string& host, Qop qop) {
  return std::make_shared<KerberosSession>(service, host, qop);
}

std::string OfferedQops(std::string_view challenge) {
  constexpr size_t kHeader = 16;  // RFC 4121, 4.2.6.2: 05 04 flags ff EC(2) RRC(2) number(8)
  constexpr unsigned char kSealed = 2;
  const auto byte = [challenge](size_t at) { return static_cast<unsigned char>(challenge[at]); };
  if (challenge.size() <= kHeader || byte(0) != 5 || byte(1) != 4 || (byte(2) & kSealed) != 0) return "";
  const size_t length = challenge.size() - kHeader;
  const size_t rotated = (size_t{byte(6)} << 8 | byte(7)) % length;
  const unsigned char layers = byte(kHeader + rotated);
  std::string offered;
  for (const Qop qop : kQops) {
    if ((layers & BitOf(qop)) == 0) continue;
    offered += (offered.empty() ? "" : ", ") + std::string(QopName(qop));
  }
  return offered;
}

Status FaultOfKerberos(const std::string& detail, bool has_keytab) {
  constexpr std::string_view kBefore = "Minor code may provide more information (";
  const size_t begin = detail.find(kBefore);
  std::string words = begin == std::string::npos ? detail : detail.substr(begin + kBefore.size());
  if (begin != std::string::npos && words.ends_with(')')) words.pop_back();
  const std::string silent = IsKdcUnreachable(words, has_keytab);
  if (!silent.empty()) return Status(StatusCode::kUnavailable, silent);
  return Status(StatusCode::kPermission, words + RemedyOfLogin(words, "hbase.thrift.kerberos.principal"));
}

}  // namespace fensi::store
