#include "cli/admin/serving.h"

#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/split_list.h"
#include "cli/access/secret_file.h"
#include "cli/flags/flags.h"
#include "cli/log/log.h"

namespace fensi::cli {
namespace {

std::vector<std::string> OwnNames() {
  std::vector<std::string> names = SplitList(FLAGS_admin_host);
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) == 0) names.emplace_back(name.data());
  return names;
}

/// Nobody can send blanks and control characters as a part of a token: some clients trim them, others refuse.
Result<std::string> ReadToken(const std::string& path) {
  Result<std::string> token = ReadSecretLine(path);
  if (!token.ok()) return Status(StatusCode::kConfiguration, token.status().message());
  const auto cannot_be_sent = [](unsigned char byte) { return byte <= 0x20 || byte == 0x7F; };
  if (std::none_of(token->begin(), token->end(), cannot_be_sent)) return token;
  return Status(StatusCode::kConfiguration, path +
                                                ": the token has blanks, before, in or behind it, or control "
                                                "characters, so that no client could send it; write one word");
}

/// Whoever reaches the server could change things, and on his way others could read the token.
Status CheckControl(const admin::Address& address) {
  if (!FLAGS_admin_control) return Status();
  if (address.kind == admin::Address::Kind::kNone) {
    return InvalidArgument("--admin_control belongs to an admin server, and none is wanted: --admin=127.0.0.1:0");
  }
  const bool near =
      address.kind == admin::Address::Kind::kUnix || address.host.starts_with("127.") || address.host == "::1";
  if (near) return Status();
  return Status(StatusCode::kConfiguration,
                "--admin_control lets who reaches the admin server change things, and it speaks plain HTTP: let it "
                "listen on 127.0.0.1, [::1] or unix:PATH instead of " +
                    address.Text() + ", and put a proxy with TLS before it");
}

}  // namespace

Result<admin::ServerOptions> AdminSettings(uint16_t default_port, bool on_by_default) {
  admin::ServerOptions options;
  if (!FLAGS_admin.empty()) {
    Result<admin::Address> address = admin::ParseAddress(FLAGS_admin);
    if (!address.ok()) return address.status().WithContext("--admin=" + FLAGS_admin);
    options.address = std::move(*address);
  } else if (on_by_default) {
    options.address = {admin::Address::Kind::kTcp, "127.0.0.1", default_port};
    options.last_port = kLastPort;
  }
  FENSI_RETURN_IF_ERROR(CheckControl(options.address));
  options.answers.hosts = OwnNames();
  Result<std::string> token = AdminToken();
  FENSI_RETURN_IF_ERROR(token.status());
  options.answers.token = std::move(*token);
  return options;
}

Result<std::string> AdminToken() { return AdminTokenIn(FLAGS_admin_token_file); }

Result<std::string> AdminTokenIn(const std::string& path) {
  if (path.empty()) return std::string();
  Result<std::string> token = ReadToken(path);
  if (!token.ok()) return token.status().WithContext("--admin_token_file");
  return token;
}

Result<std::unique_ptr<admin::Server>> ServeAdmin(const admin::ServerOptions& options,
                                                  const admin::StatusSource* source, admin::Control* control) {
  if (options.address.kind == admin::Address::Kind::kNone) return std::unique_ptr<admin::Server>();
  Result<std::unique_ptr<admin::Server>> server = admin::Server::Start(source, options, control);
  const bool asked = options.last_port == 0;
  if (!server.ok() && asked) return server.status();
  if (!server.ok()) {
    Log("admin_not_serving",
        "metrics and health are not served: " + server.status().words() + "; --admin names a place");
    return std::unique_ptr<admin::Server>();
  }
  const std::string place = (*server)->address().Text();
  const bool tcp = options.address.kind == admin::Address::Kind::kTcp;
  Log("admin_serving", "metrics, status and health: " + (tcp ? "http://" + place + "/metrics" : place),
      {.server = place});
  return server;
}

}  // namespace fensi::cli
