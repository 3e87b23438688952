// Consumer groups as a person manages them. Every call blocks up to the timeout of its client, however many requests it
// takes; thread-safe. A call without an answer says why the connection is refused, if it is: kPermission or
// kConfiguration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "consumer/kafka/admin_client.h"
#include "consumer/kafka/deadline.h"
#include "consumer/kafka/partition_offset.h"

namespace fensi::consumer {

struct GroupDescription {
  std::string state;  // as Kafka writes it: "Stable", "Empty", "Dead" (unknown group) …
  size_t members = 0;
  std::map<std::string, std::string> hosts;  // of those that have a name (KIP-345), by name
  bool active() const { return members > 0; }
};

class GroupAdmin {
 public:
  /// TopicAdmin::groups() makes one.
  explicit GroupAdmin(std::shared_ptr<const AdminClient> client) : client_(std::move(client)) {}

  /// By partition; absent where the group has committed nothing.
  Result<std::vector<std::optional<int64_t>>> CommittedOffsets(const std::string& group, const std::string& topic);
  Result<GroupDescription> DescribeGroup(const std::string& group);
  /// Moves a group without members; kConfiguration while it is active.
  Status AlterOffsets(const std::string& group, const std::string& topic, const std::vector<PartitionOffset>& offsets);
  /// With its offsets. kNotFound: there is none; kConfiguration while it is active.
  Status Delete(const std::string& group);

 private:
  Result<GroupDescription> DescribeGroup(const std::string& group, const Deadline& deadline);

  const std::shared_ptr<const AdminClient> client_;
};

}  // namespace fensi::consumer
