// What protects the bytes that follow a handshake of Kerberos: of a gateway's clients, and of region servers. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace fensi {

/// The weakest first. The values are the bits of RFC 4752.
enum class Qop : uint8_t { kAuth = 1, kAuthInt = 2, kAuthConf = 4 };
inline constexpr std::array kQops = {Qop::kAuth, Qop::kAuthInt, Qop::kAuthConf};

constexpr uint8_t BitOf(Qop qop) { return static_cast<uint8_t>(qop); }

/// As HBase and the flags call it: auth (nothing), auth-int (unchanged), auth-conf (encrypted).
constexpr std::string_view QopName(Qop qop) {
  if (qop == Qop::kAuth) return "auth";
  return qop == Qop::kAuthInt ? "auth-int" : "auth-conf";
}

constexpr std::optional<Qop> QopNamed(std::string_view name) {
  for (const Qop qop : kQops) {
    if (QopName(qop) == name) return qop;
  }
  return std::nullopt;
}

}  // namespace fensi
