#include "cli/program/who.h"

#include <pwd.h>
#include <unistd.h>

#include <array>

namespace fensi::cli {

std::string WhoIsAtWork() {
  std::array<char, 256> host{};
  std::array<char, 4096> memory{};
  passwd entry{};
  passwd* found = nullptr;
  gethostname(host.data(), host.size() - 1);
  const bool known = getpwuid_r(geteuid(), &entry, memory.data(), memory.size(), &found) == 0 && found != nullptr;
  return (known ? std::string(found->pw_name) : "uid " + std::to_string(geteuid())) + "@" + host.data();
}

}  // namespace fensi::cli
