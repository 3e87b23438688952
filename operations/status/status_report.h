// Reads and prints the status of indexes for `fensi status`: by what daemons answer, or by Kafka and the store alone,
// without any daemon.
//
// Blocks on the servers; one thread. Changes nothing, and disturbs no group.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "mapping/mapping.h"
#include "operations/access/kafka.h"
#include "operations/access/stores.h"
#include "operations/status/daemons.h"
#include "operations/status/group_standing.h"

namespace fensi::operations {

struct GroupLookOptions {
  StoreOptions store;
  KafkaOptions kafka;                // Kafka of the streams
  std::vector<std::string> indexes;  // names; empty: all of the files
};

/// For the indexes of the files. kUnavailable: a server is not reached. The faults of an index have its errors.
Result<std::vector<GroupStanding>> LookAtGroups(const std::vector<std::string>& paths, const GroupLookOptions& options);

struct StatusReportOptions {
  bool json = false;
  int64_t max_lag_s = 0;  // of an index; 0: lag is no trouble
};

/// Each returns true if an index needs a person, and says why.
Result<bool> ReportDaemons(const DaemonsOptions& asked, const StatusReportOptions& options);
Result<bool> ReportGroups(const std::vector<std::string>& paths, const GroupLookOptions& look,
                          const StatusReportOptions& options);

/// The same of answers that are there. `named`: a person named the daemons, and each must have answered.
Result<bool> ReportAnswers(const Daemons& daemons, bool named, const StatusReportOptions& options);
bool ReportStandings(const std::vector<GroupStanding>& groups, const StatusReportOptions& options, int64_t now);

}  // namespace fensi::operations
