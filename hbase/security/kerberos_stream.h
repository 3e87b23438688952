// SASL's handshake of HBase's RPC with Kerberos, and the bytes after it.
//
//   sasl    := int32 n, token of n bytes | ... until the client has enough; each is answered by int32 0, int32 n, token
//              of n bytes, or by int32 1 and two texts of int32 n and n bytes: class, message. The last one, which has
//              the client's choice of protection, has no answer.
//   message := int32 n, n bytes: a wrapped part of the stream. A part may hold many frames, or a piece of one.
//
// With n = -88 in its first answer the server asks for simple authentication: it has no Kerberos.
#pragma once

#include <memory>

#include "base/status.h"
#include "hbase/security/kerberos_client.h"
#include "hbase/wire/connection.h"

namespace fensi::hbase {

/// Begins the message of an error of the stream.
inline constexpr char kKerberosHandshake[] = "Kerberos handshake";

/// Authenticates on a new connection, and blocks until the deadline at most: a silent KDC is not waited for longer.
/// kPermission also if the server asks for simple authentication and `allow_simple` is false.
Result<Greeted> GreetByKerberos(std::unique_ptr<ByteStream> stream, const KerberosTarget& target, bool allow_simple,
                                Deadline deadline);

}  // namespace fensi::hbase
