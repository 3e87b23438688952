// Runs `fensi capture`: checks its options, shows its plan, or serves region servers until a stop signal.
//
// On the main thread; blocks on ZooKeeper, Kafka and the store.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "admin/admin_server.h"
#include "base/exit_codes.h"
#include "capture/capture.h"
#include "daemon/admin/serving.h"
#include "daemon/capture/heartbeat.h"
#include "daemon/capture/settings.h"
#include "daemon/capture/watch.h"
#include "daemon/log/logger.h"
#include "daemon/status/daemon_status.h"
#include "operations/access/stores.h"

namespace fensi::daemon {

struct CaptureRunOptions {
  CaptureSettings capture;
  std::string kafka;  // its brokers as a person named them; empty: not given
  /// Of the source; without a URL: not given. With a source store, which then has the captured tables and the heartbeat
  /// table, it has the indexes.
  operations::StoreOptions store;
  std::string peer = "fensi";         // its name, for the plan
  std::vector<std::string> mappings;  // files whose index and state tables must not be captured
  std::string heartbeat_table;        // of the source; empty: none
  std::chrono::seconds heartbeat_period{1};
  AdminOptions admin;
  LogSettings log;
  DaemonFacts facts;
};

/// The heartbeat table, if one is given, is in a store and not captured.
Status CheckHeartbeat(const CaptureRunOptions& options, const std::vector<std::string>& tables);

class CaptureRun {
 public:
  explicit CaptureRun(CaptureRunOptions options) : options_(std::move(options)) {}

  /// Call first. kInvalidArgument, kConfiguration: the tables or the options are wrong. Reads only named files.
  Status Check(const std::vector<std::string>& names);

  /// The steps that an operator must do in HBase.
  Result<std::string> Plan() const;

  /// Blocks until a stop signal.
  Result<int> Run();

 private:
  Status CheckOwnTables() const;
  /// Without a store, only ZooKeeper shows whether HBase has the tables of a topic that is about to be created.
  void WarnOfUnseenTables(const std::string& topic) const;
  /// Creates what is missing, and notes how many partitions each stream has; kConfiguration for a topic that cannot be
  /// used. Returns the id of the Kafka cluster.
  Result<std::string> PrepareTopics();
  Result<std::unique_ptr<Heartbeat>> StartHeartbeat() const;
  CaptureFacts FactsOf(const capture::Capture& capture) const;
  /// The check whether Kafka answers: reads the number of partitions of one of the topics.
  Result<std::function<Status()>> QuestionToKafka() const;
  Result<int> Serve(capture::Capture* capture, const admin::ServerOptions& admin_settings) const;

  const CaptureRunOptions options_;
  std::vector<std::string> tables_;
  capture::CaptureOptions settled_;
};

}  // namespace fensi::daemon
