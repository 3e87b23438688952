// TLS of HBase 2.6 and later (hbase.client.netty.tls.enabled): from the first byte of a connection.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "base/tls_client.h"
#include "hbase/wire/byte_stream.h"

namespace fensi::hbase {

/// Runs the handshake, until the deadline at most. kConfiguration: the server's certificate is not of our authorities,
/// not for `host` or not valid now, or the server speaks no TLS. kPermission: it does not take our certificate.
Result<std::unique_ptr<ByteStream>> ShakeTls(Socket socket, std::shared_ptr<const TlsClientContext> context,
                                             const std::string& host, Deadline deadline);

/// The first bytes of a client, for a port whose protocol is unknown.
std::string TlsHelloBytes();

}  // namespace fensi::hbase
