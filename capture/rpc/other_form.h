// What a file holds where PEM is expected, and how PEM is made of it: Java's people have keystores.
//
// Pure.
#pragma once

#include <string>

namespace fensi::capture {

enum class PemContent { kCertificates, kKey };

/// For a person, behind "no … in PEM: "; empty when the bytes are nothing that is known.
std::string OtherForm(const std::string& bytes, PemContent wanted);

}  // namespace fensi::capture
