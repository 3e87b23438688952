#include "base/who.h"

#include <pwd.h>
#include <unistd.h>

#include <array>

namespace fensi {

std::string WhoIsAtWork() {
  std::array<char, 4096> memory{};
  passwd entry{};
  passwd* found = nullptr;
  const bool known = getpwuid_r(geteuid(), &entry, memory.data(), memory.size(), &found) == 0 && found != nullptr;
  return (known ? std::string(found->pw_name) : "uid " + std::to_string(geteuid())) + "@" + MachineName();
}

std::string MachineName() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

}  // namespace fensi
