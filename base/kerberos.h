// Whose fault it is that a ticket of Kerberos did not come, by the words of MIT's library: for every client that shows
// one.
#pragma once

#include <string>
#include <string_view>

namespace fensi {

/// As MIT's library finds one (KRB5_CLIENT_KTNAME). The environment is set before there are threads.
bool HasKerberosKeytab();

/// `words` when they say that no KDC answers, and what they leave out of it; empty when the fault is another one. Who
/// has a keytab needs a KDC alone for his next ticket.
std::string WordsOfSilentKdc(std::string_view words, bool has_keytab);

}  // namespace fensi
