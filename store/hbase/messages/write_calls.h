// Writes putMultiple and deleteMultiple directly from our mutations: the bytes that THBaseServiceClient writes of
// ToPut(row) and ToDeletes(row) for each row, without a copy of every string and a virtual call for every field.
#pragma once

#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include <span>
#include <string>

#include "store/store.h"

namespace fensi::store {

/// The Thrift protocol of a gateway connection.
using GatewayProtocol = apache::thrift::protocol::TBinaryProtocolT<apache::thrift::transport::TBufferedTransport>;

/// Writes the call for the rows of these indexes, which were checked (check.h), and flushes; the answer is still to be
/// read. Blocks while the socket does, and throws what it throws; used by the thread that has the connection.
void WritePutMultiple(const std::string& table, std::span<const RowMutation> rows, std::span<const size_t> indexes,
                      GatewayProtocol* out);

/// True if the cells of the row are one TDelete as they are.
bool IsOneDelete(const RowMutation& row);
/// The same for rows that are one delete each.
void WriteDeleteMultiple(const std::string& table, std::span<const RowMutation> rows, std::span<const size_t> indexes,
                         GatewayProtocol* out);

}  // namespace fensi::store
