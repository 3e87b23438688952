// A cluster of HBase inside the test: one port that is registry, master, the server of hbase:meta and a region server.
//
// Serves every connection on a thread of its own until it is destroyed. It has the table "t" with the family "f" in as
// many regions as it is told, keeps cells as they come, newest first, and knows no delete markers.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "hbase/cluster.h"
#include "proto/hbase_client.pb.h"
#include "tests/hbase/wire.h"

namespace fensi::hbase {

/// What it does with a call, instead of answering it.
struct Reaction {
  static constexpr size_t kLargeBytes = 200'000;  // more than these has an answer of kLarge
  enum class Kind {
    kAnswer,
    kSilence,
    kDrip,
    kCut,
    kClose,
    kWrongId,
    kHuge,
    kLarge,
    kGarbage,
    kException,
    kFatal,
    kDelay
  };
  Kind kind = Kind::kAnswer;
  std::string exception;  // class of kException
  std::string text;
  bool do_not_retry = false;
  bool overloaded = false;
};

class FakeHBase {
 public:
  /// `split_keys`: where regions begin behind the first.
  explicit FakeHBase(const std::vector<std::string>& split_keys = {});
  ~FakeHBase();

  int port() const { return port_; }
  ClusterOptions Options() const;

  /// Asked before each call, on the connection's thread. Fixed before the first call.
  std::function<Reaction(const std::string& method, const std::string& region)> react;
  /// Asked for each action of a Multi: an exception of it alone, or of all of its region's.
  std::function<std::optional<Reaction>(std::string_view row)> refuse_row, refuse_region;
  /// The same, of an action by the value of its last cell.
  std::function<std::optional<Reaction>(std::string_view row, std::string_view value)> refuse_action;
  /// Answers scans of hbase:meta for regions; false: as the fake does. Fixed before the first call.
  std::function<bool(const proto::hbase::ScanRequest&, proto::hbase::ScanResponse*, std::string* cells)> answer_meta;

  /// Asked for each scan of the table; true: it has filled the answer.
  std::function<bool(const proto::hbase::ScanRequest&, proto::hbase::ScanResponse*, std::string* cells)> on_scan;

  /// Its registry answers without a cluster id, a master and a place of hbase:meta.
  std::atomic<bool> knows_nothing = false;

  /// Read points of its regions; none: 77. Fixed before the first call.
  std::function<uint64_t(const std::string& region)> read_point_of;

  /// By how much its own clock is ahead. Fixed before the first call.
  int64_t clock_ahead_ms = 0;
  std::vector<std::pair<std::string, uint32_t>> region_loads = {};  // name of a region, megabytes of its files

  /// Of one more region server that the master names; 0: there is none. Fixed before the first call.
  uint32_t unreachable_port = 0;

  /// Makes the wire of a new connection, behind its preamble; null: it is closed. Fixed before the first call.
  std::function<std::unique_ptr<Wire>(int socket)> greet = &GreetPlainly;

  /// Its own name. Fixed before the first call.
  std::string own_host = "127.0.0.1";

  /// A scanner brings so many rows at a time; 0: all of its region. Fixed before the first call.
  uint32_t rows_of_answer = 0;

  /// Calls that came, by method; of hbase:meta as "Meta"; those for the state of a table as "State", and those that
  /// close a scanner as "Close", too.
  int CallsOf(const std::string& method);
  int most_at_once() const { return most_at_once_; }
  size_t connections() const { return connections_; }
  /// The user that the last connection named.
  std::string user();
  /// The value that a put left.
  std::string ValueOf(const std::string& row);
  size_t rows();
  /// Where hbase:meta says that regions are; and how often the region was opened.
  void SetLocation(const std::string& host, int port, int64_t sequence);
  void SetRegions(const std::vector<std::string>& split_keys);

 private:
  struct Call;
  class Link;

  void Accept();
  void Serve(int socket);
  void Handle(const std::shared_ptr<Link>& link, const Call& call);
  /// `fault`: an exception instead.
  std::string Answer(const Call& call, std::string* cells, Reaction* fault);
  std::string AnswerMulti(const Call& call, std::string* cells);
  std::string AnswerMutate(const Call& call);
  std::string AnswerScan(const Call& call, std::string* cells, Reaction* fault);
  std::string AnswerMeta(const proto::hbase::ScanRequest& request, std::string* cells);
  std::string AnswerMaster(const Call& call) const;
  std::string RegionOf(const Call& call) const;
  void Store(std::string_view block);

  int listener_ = -1;
  int port_ = 0;
  std::thread accepting_;
  std::mutex mu_;  // guards the following
  std::vector<std::thread> serving_;
  std::vector<int> sockets_;
  std::map<std::string, int> calls_;
  std::map<std::string, std::string> cells_;  // row -> its cell as a cell block has it
  std::map<std::string, std::string> values_;
  std::vector<std::string> starts_;
  std::string user_;
  struct Scanner {
    proto::hbase::ScanRequest request;
    uint64_t next = 0;  // number of the call that it expects
  };
  std::map<uint64_t, Scanner> scanners_;
  uint64_t last_scanner_ = 0;
  std::string host_ = "127.0.0.1";
  int region_port_ = 0;
  int64_t sequence_ = 1;
  bool stopped_ = false;
  std::atomic<int> at_once_ = 0, most_at_once_ = 0;
  std::atomic<size_t> connections_ = 0;
};

}  // namespace fensi::hbase
