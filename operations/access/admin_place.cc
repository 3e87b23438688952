#include "operations/access/admin_place.h"

#include <algorithm>

#include "operations/access/secret_file.h"

namespace fensi::operations {
namespace {

/// Nobody can send blanks and control characters as a part of a token: some clients trim them, others refuse.
Result<std::string> ReadToken(const std::string& path) {
  Result<std::string> token = ReadSecretLine(path);
  if (!token.ok()) return Status(StatusCode::kConfiguration, token.status().message());
  const auto cannot_be_sent = [](unsigned char byte) { return byte <= 0x20 || byte == 0x7F; };
  if (std::none_of(token->begin(), token->end(), cannot_be_sent)) return token;
  return Status(StatusCode::kConfiguration, path +
                                                ": the token has blanks or control characters, which a client cannot "
                                                "send. Write one word into the file");
}

}  // namespace

Result<std::string> ReadAdminToken(const std::string& path) {
  if (path.empty()) return std::string();
  Result<std::string> token = ReadToken(path);
  if (!token.ok()) return token.status().WithContext("--admin_token_file");
  return token;
}

}  // namespace fensi::operations
