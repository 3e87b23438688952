#include "hbase/security/gss.h"

#include <gssapi/gssapi_ext.h>
#include <gssapi/gssapi_krb5.h>

#include <array>
#include <utility>

namespace fensi::hbase {
namespace {

/// The text of one code; the library keeps the details of the last error of a thread.
std::string TextOfCode(OM_uint32 code, int type) {
  OM_uint32 ignored = 0, more = 0;
  GssBuffer text;
  if (gss_display_status(&ignored, code, type, gss_mech_krb5, &more, text.out()) != GSS_S_COMPLETE) return "";
  return std::string(text.view());
}

/// Checks that bytes begin as a wrapped message of RFC 4121, 4.2.6.2. MIT's library (1.20.1) crashes on messages of the
/// older form (RFC 1964) if the key is a newer one: it reads the form before it verifies the message.
Status CheckIsWrapped(std::string_view bytes) {
  if (bytes.starts_with("\x05\x04")) return {};
  return KerberosDenied(
      "a message is not wrapped as RFC 4121 wants it. RC4 and DES keys wrap in another way: have the KDC give AES "
      "keys");
}

}  // namespace

Result<std::string> GssNameText(gss_name_t name) {
  GssBuffer text;
  OM_uint32 minor = 0;
  const OM_uint32 major = gss_display_name(&minor, name, text.out(), nullptr);
  if (major != GSS_S_COMPLETE) return KerberosDenied(GssText(major, minor));
  return std::string(text.view());
}

std::string GssText(OM_uint32 major, OM_uint32 minor) {
  std::string words = minor == 0 ? "" : TextOfCode(minor, GSS_C_MECH_CODE);
  return words.empty() ? TextOfCode(major, GSS_C_GSS_CODE) : words;
}

Status KerberosDenied(std::string why) { return Status(StatusCode::kPermission, "Kerberos: " + std::move(why)); }

Status NotHBase(std::string why) {
  return KerberosDenied(std::move(why) + ". Check that --store names a server of HBase");
}

GssContext::~GssContext() {
  OM_uint32 ignored = 0;
  gss_delete_sec_context(&ignored, &context_, GSS_C_NO_BUFFER);
}

Result<std::string> GssContext::Wrap(std::string_view plain, bool sealed) {
  gss_buffer_desc in = LentToGss(plain);
  GssBuffer out;
  OM_uint32 minor = 0;
  int is_sealed = 0;
  const OM_uint32 major = gss_wrap(&minor, context_, sealed ? 1 : 0, GSS_C_QOP_DEFAULT, &in, &is_sealed, out.out());
  if (major != GSS_S_COMPLETE || (sealed && is_sealed == 0)) return KerberosDenied(GssText(major, minor));
  return std::string(out.view());
}

Status GssContext::Unwrap(std::string* bytes, Qop qop, std::string_view* plain) {
  FENSI_RETURN_IF_ERROR(CheckIsWrapped(*bytes));
  std::array<gss_iov_buffer_desc, 2> parts{};
  parts[0].type = GSS_IOV_BUFFER_TYPE_STREAM;
  parts[0].buffer = {bytes->size(), bytes->data()};
  parts[1].type = GSS_IOV_BUFFER_TYPE_DATA;
  OM_uint32 minor = 0;
  int sealed = 0;
  const OM_uint32 major = gss_unwrap_iov(&minor, context_, &sealed, nullptr, parts.data(), parts.size());
  if (major != GSS_S_COMPLETE) return KerberosDenied(GssText(major, minor));  // a repeated or missing message, too
  if (qop == Qop::kAuthConf && sealed == 0) {
    return KerberosDenied("a message is not encrypted, and auth-conf was agreed on");
  }
  *plain = {static_cast<const char*>(parts[1].buffer.value), parts[1].buffer.length};
  return {};
}

Result<std::string> GssContext::UnwrapToken(std::string_view token) {
  FENSI_RETURN_IF_ERROR(CheckIsWrapped(token));
  gss_buffer_desc in = LentToGss(token);
  GssBuffer plain;
  OM_uint32 minor = 0;
  const OM_uint32 major = gss_unwrap(&minor, context_, &in, plain.out(), nullptr, nullptr);
  if (major != GSS_S_COMPLETE) return KerberosDenied(GssText(major, minor));
  return std::string(plain.view());
}

size_t GssContext::MostPlainBytes(uint32_t wrapped, bool sealed) {
  OM_uint32 minor = 0, most = 0;
  const OM_uint32 major =
      gss_wrap_size_limit(&minor, context_, sealed ? 1 : 0, GSS_C_QOP_DEFAULT, static_cast<OM_uint32>(wrapped), &most);
  return major == GSS_S_COMPLETE ? most : 0;
}

std::string WrittenLayers(const SaslLayers& layers) {
  std::string token(1, static_cast<char>(layers.qops));
  for (const int shift : {16, 8, 0}) token += static_cast<char>(layers.most_bytes >> shift & 0xffU);
  return token + layers.acts_for;
}

bool ReadLayers(std::string_view token, SaslLayers* layers) {
  if (token.size() < 4) return false;
  const auto byte = [token](size_t at) { return uint32_t{static_cast<uint8_t>(token[at])}; };
  *layers = {static_cast<uint8_t>(byte(0)), byte(1) << 16 | byte(2) << 8 | byte(3), std::string(token.substr(4))};
  return true;
}

std::string ProtectionNames(uint8_t qops) {
  std::string names;
  for (const Qop qop : kQops) {
    if ((qops & BitOf(qop)) != 0) names += (names.empty() ? "" : ", ") + std::string(ProtectionName(qop));
  }
  return names;
}

}  // namespace fensi::hbase
