#include "base/kerberos.h"

#include <cstdlib>

namespace fensi {
namespace {

constexpr char kCheckKdc[] =
    ". Check the hosts of the realm in krb5.conf ([realms]), and that this machine reaches them (port 88)";

}  // namespace

bool HasKerberosKeytab() { return std::getenv("KRB5_CLIENT_KTNAME") != nullptr; }  // NOLINT(concurrency-mt-unsafe)

std::string IsKdcUnreachable(std::string_view words, bool has_keytab) {
  for (const char* away : {"Cannot contact any KDC", "Cannot resolve network address for KDC"}) {
    if (words.find(away) != std::string_view::npos) return std::string(words) + kCheckKdc;
  }
  // The library reports its old ticket, and not the KDC that gave no new one.
  if (!has_keytab || words.find("Ticket expired") == std::string_view::npos) return "";
  return std::string(words) + ", and no KDC gave another ticket for the keytab" + kCheckKdc;
}

std::string SilentKdcText() { return std::string("no ticket: the KDC does not answer") + kCheckKdc; }

std::string RemedyOfLogin(std::string_view words, const std::string& setting) {
  const auto says = [words](std::string_view part) { return words.find(part) != std::string_view::npos; };
  if (says("Clock skew")) {
    return ": the clocks of this machine and of the KDC or the server differ by more than Kerberos allows (5 min). "
           "Correct the clocks, for example with NTP";
  }
  if (says("Server ") && says("not found in Kerberos database")) {
    return ". --store_kerberos_service must name the principal in " + setting;
  }
  if (says("Ticket expired") || says("No Kerberos credentials available") || says("redentials cache")) {
    return ": run kinit, or give --kerberos_keytab";
  }
  if (says("Preauthentication failed") || says("integrity check failed") || says("Password incorrect")) {
    return ": --kerberos_keytab has old keys of its principal. Write the keytab again (ktadd)";
  }
  if (!says("not found in Kerberos database")) return "";
  return ": the KDC does not know the principal of the ticket or of --kerberos_keytab. klist, or klist -k KEYTAB, "
         "shows the principal: add it to the KDC";
}

}  // namespace fensi
