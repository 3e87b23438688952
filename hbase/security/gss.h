// GSSAPI of MIT Kerberos behind SASL's mechanism GSSAPI (RFC 4752): the parts that the client of HBase (initiator) and
// the capture (acceptor) share. Decision 25 says why not Cyrus SASL.
#pragma once

#include <gssapi/gssapi.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/kerberos.h"
#include "base/status.h"

namespace fensi::hbase {

/// The text of Kerberos for a failed call; if there is none, the text of GSSAPI.
std::string GssText(OM_uint32 major, OM_uint32 minor);

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

/// A name as text, such as a principal.
Result<std::string> GssNameText(gss_name_t name);

/// The library reads the bytes, and does not write them.
inline gss_buffer_desc LentToGss(std::string_view bytes) { return {bytes.size(), const_cast<char*>(bytes.data())}; }

/// kPermission: "Kerberos: …".
Status KerberosDenied(std::string why);

/// kPermission for a peer that does not follow the protocol, with the remedy.
Status NotHBase(std::string why);

/// One security context, and the protection of its messages after the handshake. Used by one thread at a time.
class GssContext {
 public:
  GssContext() = default;
  ~GssContext();
  GssContext(const GssContext&) = delete;
  GssContext& operator=(const GssContext&) = delete;

  /// For the calls of the handshake, which fill it.
  gss_ctx_id_t* handle() { return &context_; }

  /// `sealed`: encrypted. kPermission: the library refuses, or cannot encrypt.
  Result<std::string> Wrap(std::string_view plain, bool sealed);
  /// In place: `plain` is a view into `bytes`. kPermission: the message was changed, is repeated, is missing
  /// predecessors, or is not encrypted although `qop` is auth-conf.
  Status Unwrap(std::string* bytes, Qop qop, std::string_view* plain);
  /// Unwraps a message of SASL's handshake.
  Result<std::string> UnwrapToken(std::string_view token);
  /// Maximum number of plain bytes whose message has at most `wrapped` bytes.
  size_t MostPlainBytes(uint32_t wrapped, bool sealed);

 private:
  gss_ctx_id_t context_ = GSS_C_NO_CONTEXT;
};

/// The last two tokens of SASL's handshake, unwrapped: the protections (one byte), the maximum length of a message
/// (three bytes), and the name of the user that the client acts for. A message of HBase has no limit but the frame's.
struct SaslLayers {
  static constexpr uint32_t kMostBytes = 0xff'ff'ff;

  uint8_t qops = 0;  // bits
  uint32_t most_bytes = kMostBytes;
  std::string acts_for;
};
std::string WrittenLayers(const SaslLayers& layers);
/// False: the token is too short.
bool ReadLayers(std::string_view token, SaslLayers* layers);

/// The protections of these bits by their names in hbase.rpc.protection, for instance "integrity, privacy"; empty:
/// none.
std::string ProtectionNames(uint8_t qops);

}  // namespace fensi::hbase
