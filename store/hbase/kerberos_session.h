// Kerberos as a SaslSession, by Cyrus SASL and its plugin for GSSAPI; and the parts of it that know no library.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/qop.h"
#include "base/status.h"
#include "store/gateway_security.h"
#include "store/hbase/sasl_session.h"

namespace fensi::store {

/// By the ticket or keytab of this process, to the principal service/host.
std::shared_ptr<SaslSession> MakeKerberosSession(const std::string& service, const std::string& host, Qop qop);

/// The ways to protect bytes that a gateway offers in its last challenge, as "auth-int" or "auth, auth-conf"; empty
/// where the challenge is of a form that is not known here.
std::string OfferedQops(std::string_view challenge);

/// `detail` is what the library says of a failure. Who has a keytab needs a KDC alone for his next ticket.
Status FaultOfKerberos(const std::string& detail, bool has_keytab);

}  // namespace fensi::store
