#include "base/kerberos.h"

#include <cstdlib>

namespace fensi {

bool HasKerberosKeytab() { return std::getenv("KRB5_CLIENT_KTNAME") != nullptr; }  // NOLINT(concurrency-mt-unsafe)

std::string IsKdcUnreachable(std::string_view words, bool has_keytab) {
  for (const char* away : {"Cannot contact any KDC", "Cannot resolve network address for KDC"}) {
    if (words.find(away) != std::string_view::npos) return std::string(words);
  }
  // The library reports its old ticket, and not the KDC that gave no new one.
  if (!has_keytab || words.find("Ticket expired") == std::string_view::npos) return "";
  return std::string(words) + ", and no KDC gave another one for the keytab";
}

}  // namespace fensi
