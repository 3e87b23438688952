// Explains failed Kerberos logins from the texts of MIT's library, for every client.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fensi {

/// True if MIT's library has a keytab (KRB5_CLIENT_KTNAME). The environment is set before there are threads.
bool HasKerberosKeytab();

/// Returns `words` with a hint, if they say that no KDC answers; empty for another error. With a keytab only the KDC is
/// needed for the next ticket.
std::string IsKdcUnreachable(std::string_view words, bool has_keytab);

/// The message for a login that waits for a KDC in vain.
std::string SilentKdcText();

/// What to do about a failed login with these `words`, as the end of their sentence; empty: the library's words say all
/// that is known. `setting` has the principal of the server.
std::string RemedyOfLogin(std::string_view words, const std::string& setting);

// The protection of the bytes after a Kerberos handshake: of a gateway's clients, and of region servers. Pure.

/// The weakest first. The values are the bits of RFC 4752.
enum class Qop : uint8_t { kAuth = 1, kAuthInt = 2, kAuthConf = 4 };
inline constexpr std::array kQops = {Qop::kAuth, Qop::kAuthInt, Qop::kAuthConf};

constexpr uint8_t BitOf(Qop qop) { return static_cast<uint8_t>(qop); }

/// The name in HBase and in flags: auth (nothing), auth-int (integrity), auth-conf (encryption).
constexpr std::string_view QopName(Qop qop) {
  if (qop == Qop::kAuth) return "auth";
  return qop == Qop::kAuthInt ? "auth-int" : "auth-conf";
}

/// The name in hbase.rpc.protection.
constexpr std::string_view ProtectionName(Qop qop) {
  if (qop == Qop::kAuth) return "authentication";
  return qop == Qop::kAuthInt ? "integrity" : "privacy";
}

constexpr std::optional<Qop> QopNamed(std::string_view name) {
  for (const Qop qop : kQops) {
    if (QopName(qop) == name) return qop;
  }
  return std::nullopt;
}

}  // namespace fensi
