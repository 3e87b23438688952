#include "store/protocol_hint.h"

#include "hbase/who_answers.h"

namespace fensi::store {
namespace {

using hbase::Speaks;

constexpr std::chrono::milliseconds kProbeTime(1'000), kAskAgain(30'000);

}  // namespace

std::string HintFor(const ProtocolHint::Place& place) {
  const std::string address = hbase::AddressText(place.host, place.port);
  const auto deadline = std::chrono::steady_clock::now() + kProbeTime;
  const Speaks speaks = hbase::WhoAnswers(place.host, place.port, deadline);
  if (speaks == Speaks::kZooKeeper && !place.zookeeper) {
    return address + " is a ZooKeeper: write hbase://" + address + "/hbase";
  }
  if (speaks == Speaks::kThrift && (place.zookeeper || place.masters)) {
    return address + " speaks Thrift: write thrift://" + address;
  }
  if (speaks == Speaks::kHBase && !place.masters) {
    return address + " is a server of HBase itself: write hbase://" + address +
           " (a master or region server), or "
           "hbase://ZOOKEEPER:2181/hbase";
  }
  if (speaks == Speaks::kHttp) {
    return address + " speaks HTTP. If it is a gateway in HTTP mode, write thrift+https://" + address +
           "/. If it is a web page of HBase (ports 16010, 16030, 9095), write the port of the server itself";
  }
  if (speaks == Speaks::kTls && place.tls) return "";
  if (speaks == Speaks::kTls && place.zookeeper) {
    return address +
           " speaks TLS, and fensi connects to ZooKeeper without TLS: write the port in ZooKeeper's clientPort";
  }
  if (speaks == Speaks::kTls && place.masters) return address + " speaks TLS: write hbases://" + address;
  if (speaks == Speaks::kTls) return address + " speaks TLS: write thrifts://" + address;
  return "";
}

std::string ProtocolHint::Hint() {
  const MutexLock lock(shared_->mu);
  const std::chrono::milliseconds now = SystemClock()->MonotonicNow();
  if (!shared_->asked_at || now - *shared_->asked_at >= kAskAgain) {
    shared_->hint = HintFor(shared_->place);
    shared_->asked_at = now;
  }
  return shared_->hint;
}

}  // namespace fensi::store
