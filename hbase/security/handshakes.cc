#include "hbase/security/handshakes.h"

#include <chrono>
#include <string_view>
#include <utility>

#include "hbase/security/kerberos_stream.h"
#include "hbase/security/tls_stream.h"
#include "hbase/wire/framing.h"

namespace fensi::hbase {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kLongestRefusal(30);
/// Refusals that are further apart are not of the same trouble.
constexpr std::chrono::minutes kLongestPause(5);

/// The end of AwaitStream's message.
constexpr std::string_view kClosed = "closed the connection";

Result<std::unique_ptr<ByteStream>> OpenStream(const SecurityOptions& options, Socket socket, const std::string& host,
                                               Deadline deadline) {
  if (options.tls == nullptr) return PlainStream(std::move(socket));
  std::string kept;
  const auto context = options.tls->Newest(&kept);
  if (!context.ok()) return context.status();
  Result<std::unique_ptr<ByteStream>> stream = ShakeTls(std::move(socket), *context, host, deadline);
  if (stream.ok() || kept.empty()) return stream;
  return stream.status().WithSuffix(" (with the former certificates, because the new ones cannot be used: " + kept +
                                    ")");
}

/// Of a login that failed. A refusal has a remedy of its own. A broken stream has none.
Status WithRemedy(const Status& status, bool plain) {
  const bool broken = status.code() == StatusCode::kUnavailable && status.message().starts_with(kKerberosHandshake);
  if (!broken) return status;
  const bool hint = plain && status.message().ends_with(kClosed);
  return status.WithSuffix(hint ? std::string(kIfTls) + kReadServersLog : kReadServersLog);
}

Result<Greeted> Greet(const SecurityOptions& options, const std::string& service, Socket socket,
                      const std::string& host, Deadline deadline) {
  FENSI_ASSIGN_OR_RETURN(std::unique_ptr<ByteStream> stream, OpenStream(options, std::move(socket), host, deadline));
  if (options.kerberos) {
    const KerberosLogin& kerberos = *options.kerberos;
    const bool is_master = service != "ClientService" && !kerberos.masters.empty();
    const KerberosTarget target{is_master ? kerberos.masters : kerberos.region_servers, host, kerberos.qop};
    Result<Greeted> greeted = GreetByKerberos(std::move(stream), target, kerberos.allow_simple, deadline);
    if (greeted.ok()) return greeted;
    return WithRemedy(greeted.status(), options.tls == nullptr);
  }
  FENSI_RETURN_IF_ERROR(WriteAll(stream.get(), Preamble(kAuthSimple), deadline).WithSuffix(kReadServersLog));
  return Greeted{.stream = std::move(stream), .user = {}, .hint = kIfKerberos};
}

}  // namespace

Status RefusalWindow::Judge(const std::string& server, const Status& status, steady_clock::time_point now) {
  const MutexLock lock(mu_);
  if (status.ok()) {
    succeeded_ = true;
    refused_.erase(server);
  }
  const bool refused = status.code() == StatusCode::kPermission || status.code() == StatusCode::kConfiguration;
  if (!refused || !succeeded_) return status;
  Refusals& refusals = refused_.try_emplace(server, Refusals{now, now}).first->second;
  if (now - refusals.last > kLongestPause) refusals.first = now;
  refusals.last = now;
  return now - refusals.first < kLongestRefusal ? status.As(StatusCode::kUnavailable) : status;
}

std::function<Handshake(const std::string& service)> MakeHandshakes(const SecurityOptions& options) {
  return [options, window = std::make_shared<RefusalWindow>()](const std::string& service) -> Handshake {
    return [options, window, service](Socket socket, const std::string& host, Deadline deadline) -> Result<Greeted> {
      Result<Greeted> greeted = Greet(options, service, std::move(socket), host, deadline);
      // By TLS 1.3 a server refuses our certificate after the handshake: only an answer shows that it accepts us.
      const auto judge = [window, server = host + "/" + service](const Status& status) {
        return window->Judge(server, status, steady_clock::now());
      };
      if (!greeted.ok()) return judge(greeted.status());
      greeted->judge = judge;
      return greeted;
    };
  };
}

}  // namespace fensi::hbase
