// The znodes of a source HBase whose peer is ours.
#pragma once

#include <string>

#include "tests/capture/hbase_bytes.h"
#include "tests/capture/zookeeper/fake_zookeeper.h"

namespace fensi::capture {

inline constexpr char kA[] = "host-a,16020,1", kB[] = "b,16020,2", kC[] = "c,16020,3";

inline std::string LogOf(const std::string& server) {
  std::string log;
  for (const char c : server) log += c == ',' ? std::string("%2C") : std::string(1, c);
  return log + ".1732000000000";
}

class HBaseZnodes {
 public:
  inline static const std::string kOneCallSetting =
      BytesField(4, BytesField(1, "hbase.replication.source.maxthreads") + BytesField(2, "1"));

  explicit HBaseZnodes(FakeZooKeeper* zookeeper) : zookeeper_(zookeeper) {
    Peer(kOneCallSetting);
    zookeeper_->Put("/hbase/replication/peers/other", "PBUF" + BytesField(1, "zk:2181:/other") + NumberField(8, 1));
  }
  /// Ours has other settings.
  void Peer(const std::string& settings, bool all_tables = true) {
    zookeeper_->Put("/hbase/replication/peers/p",
                    "PBUF" + BytesField(1, "zk:2181:/fensi") + settings + NumberField(8, all_tables ? 1 : 0));
  }
  /// It sends its own log to our peer, and to another.
  void Start(const std::string& server) {
    zookeeper_->Put("/hbase/rs/" + server, "");
    Queue(server, "p", LogOf(server));
    Queue(server, "other", LogOf(server));
  }
  void Queue(const std::string& owner, const std::string& queue, const std::string& log) {
    zookeeper_->Put("/hbase/replication/rs/" + owner, "");
    zookeeper_->Put("/hbase/replication/rs/" + owner + "/" + queue, "");
    zookeeper_->Put("/hbase/replication/rs/" + owner + "/" + queue + "/" + log, "");
  }
  void EndQueue(const std::string& owner, const std::string& queue, const std::string& log) {
    const std::string path = "/hbase/replication/rs/" + owner + "/" + queue;
    zookeeper_->Remove(path + "/" + log);
    zookeeper_->Remove(path);
  }
  /// Its queues are still there.
  void Die(const std::string& server) { zookeeper_->Remove("/hbase/rs/" + server); }

 private:
  FakeZooKeeper* const zookeeper_;
};

}  // namespace fensi::capture
