// The one place where exceptions of Thrift end: RunThrift turns whatever a call throws into a Status.
//
// Any thread. What an exception means is a table (FaultRules); each of its rows has a test.
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

namespace fensi::store {

enum class FaultKind {
  kGateway,      // TIOError: HBase's own exception, told by the gateway
  kApplication,  // TApplicationException: the call broke inside the gateway
  kTransport,    // the connection; the outcome is unknown
  kProtocol,     // what came back is not Thrift
  kOther,
};

/// The first rule that fits decides.
struct FaultRule {
  FaultKind kind;
  std::string_view part;  // of the message; empty: any
  StatusCode code;
};
std::span<const FaultRule> FaultRules();

/// `doing` is what the person reads first: "put of 3 rows to table t".
Status FromFault(FaultKind kind, std::string_view message, const std::string& doing);

/// Text of a TApplicationException: its type and what it says.
std::string ApplicationText(const apache::thrift::TApplicationException& fault);

template <typename Function>
Status RunThrift(const std::string& doing, Function call) {
  namespace thrift = apache::thrift;
  try {
    call();
    return Status();
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
