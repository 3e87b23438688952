// Access control of znodes, if the captures of a root have a name and a password of their own.
//
// Pure.
#pragma once

#include <string>
#include <vector>

namespace fensi::hbase {

/// One line of a znode's access control list, as ZooKeeper has it.
struct Grant {
  std::string scheme;
  std::string id;
  int permissions = 0;  // of kReadGrant … kEverything

  bool operator==(const Grant&) const = default;
};

inline constexpr int kReadGrant = 1, kEverything = 31;

/// Whether HBase, which has no user there, must read the znode.
enum class Sight { kOurs, kAnybodys };

/// "USER:PASSWORD" as ZooKeeper writes it into access control lists: user and a hash.
std::string DigestId(const std::string& user_and_password);

/// The error in the list of a znode that only we may write; empty: none.
std::string FaultOfGrants(const std::vector<Grant>& grants, const std::string& digest_id, Sight sight);

/// The list for "setAcl ZNODE" in ZooKeeper's shell.
std::string ShellGrants(Sight sight);

}  // namespace fensi::hbase
