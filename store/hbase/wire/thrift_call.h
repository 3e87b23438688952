// The one place where exceptions of Thrift end: RunThrift turns every exception of a call into an Outcome.
//
// Any thread. The meaning of an exception is a table (FaultRules); each of its rows has a test.
#pragma once

#include <thrift/TApplicationException.h>
#include <thrift/protocol/TProtocolException.h>
#include <thrift/transport/TTransportException.h>

#include <exception>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "hbase_thrift2_types.h"
#include "store/hbase/wire/gateway_socket.h"

namespace fensi::store {

enum class FaultKind {
  kGateway,      // TIOError: HBase's own exception, reported by the gateway
  kApplication,  // TApplicationException: the call broke inside the gateway
  kTransport,    // the connection failed; the outcome is unknown
  kProtocol,     // the answer is not Thrift
  kOther,
};

/// What may have caused the error besides the servers, as far as the answer shows. Anything else concerns the table or
/// the servers, and is never blamed on a row.
enum class Suspect {
  kNobody,
  kFamily,  // the table has no such family
  kRow,     // HBase's own check of a cell
  kTime,    // HBase's check of a cell's timestamp, which a later call may pass
  kUnclear,
  kReplySize,  // the answer would be larger than allowed
};

/// The first matching rule decides.
struct FaultRule {
  FaultKind kind;
  std::string_view part;  // text in the message; empty: any
  StatusCode code;
  Suspect suspect = Suspect::kNobody;
};
std::span<const FaultRule> FaultRules();

struct Outcome {
  Status status;
  Suspect suspect = Suspect::kNobody;
  bool answered = false;  // an error that the server reported; the connection is usable
  bool refused = false;   // no connection was established: TLS or Kerberos failed, or the HTTP server is no gateway
};

/// `doing` begins the message: "put of 3 rows to table t".
Outcome FromFault(FaultKind kind, std::string_view message, const std::string& doing);

/// Text of a TApplicationException: its type and its message.
std::string ApplicationText(const apache::thrift::TApplicationException& fault);

template <typename Function>
Outcome RunThrift(const std::string& doing, Function call) {
  namespace thrift = apache::thrift;
  try {
    call();
    return {};
  } catch (const ConnectionRefused& fault) {
    return {.status = fault.status().WithContext(doing), .refused = true};
  } catch (const thrift2::TIOError& fault) {
    return FromFault(FaultKind::kGateway, fault.message, doing);
  } catch (const thrift::TApplicationException& fault) {
    return FromFault(FaultKind::kApplication, ApplicationText(fault), doing);
  } catch (const thrift::transport::TTransportException& fault) {
    return FromFault(FaultKind::kTransport, fault.what(), doing);
  } catch (const thrift::protocol::TProtocolException& fault) {
    return FromFault(FaultKind::kProtocol, fault.what(), doing);
  } catch (const std::exception& fault) {
    return FromFault(FaultKind::kOther, fault.what(), doing);
  }
}

}  // namespace fensi::store
