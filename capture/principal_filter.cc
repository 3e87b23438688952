#include "capture/principal_filter.h"

#include <algorithm>

namespace fensi::capture {
namespace {

constexpr std::string_view kAnyHost = "/*@";

bool Fits(std::string_view allowed, std::string_view principal) {
  const size_t star = allowed.find(kAnyHost);
  if (star == std::string_view::npos) return principal == allowed;
  const std::string_view begin = allowed.substr(0, star + 1), end = allowed.substr(star + 2);
  if (principal.size() <= begin.size() + end.size()) return false;
  if (!principal.starts_with(begin) || !principal.ends_with(end)) return false;
  const std::string_view host = principal.substr(begin.size(), principal.size() - begin.size() - end.size());
  return host.find_first_of("/@\\") == std::string_view::npos;  // one name, and nothing that Kerberos had to escape
}

}  // namespace

bool PrincipalFilter::Allows(std::string_view principal) const {
  return std::any_of(principals_.begin(), principals_.end(),
                     [principal](const std::string& allowed) { return Fits(allowed, principal); });
}

}  // namespace fensi::capture
