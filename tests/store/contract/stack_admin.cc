#include "tests/store/contract/stack_admin.h"

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <memory>

namespace fensi::store {
namespace {

Status Fault(const std::string& command, const std::string& what) {
  return Status(StatusCode::kUnavailable, "administration of the stack: " + command + ": " + what);
}

/// -1: nobody there.
int Connect(const std::string& address) {
  const size_t colon = address.rfind(':');
  if (colon == std::string::npos) return -1;
  addrinfo* found = nullptr;
  if (getaddrinfo(address.substr(0, colon).c_str(), address.substr(colon + 1).c_str(), nullptr, &found) != 0) return -1;
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owned(found, freeaddrinfo);
  const int socket = ::socket(found->ai_family, SOCK_STREAM, 0);
  if (socket >= 0 && connect(socket, found->ai_addr, found->ai_addrlen) == 0) return socket;
  if (socket >= 0) close(socket);
  return -1;
}

/// What the stack's owner alone may read.
std::string Secret() {
  const char* folder = std::getenv("FENSI_TEST_STACK");
  std::ifstream file(std::string(folder == nullptr ? "" : folder) + "/run/admin.secret");
  std::string secret;
  std::getline(file, secret);
  return secret;
}

std::string ReadLine(int socket) {
  std::string line;
  for (char c = 0; read(socket, &c, 1) == 1 && c != '\n';) line.push_back(c);
  return line;
}

}  // namespace

Status StackAdmin::Run(const std::string& command) const {
  const int socket = Connect(address_);
  if (socket < 0) return Fault(command, "nobody listens at " + address_);
  const std::string line = Secret() + "\n" + command + "\n";
  const bool sent = write(socket, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  const std::string answer = sent ? ReadLine(socket) : "";
  close(socket);
  return answer == "ok" || answer.starts_with("ok ") ? Status() : Fault(command, answer.empty() ? "no answer" : answer);
}

}  // namespace fensi::store
