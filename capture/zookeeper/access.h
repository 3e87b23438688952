// Who may do what to a znode, when the captures of a root have a name and a password of their own.
//
// Pure.
#pragma once

#include <string>
#include <vector>

namespace fensi::capture {

/// One line of a znode's access control list, as ZooKeeper has it.
struct Grant {
  std::string scheme;
  std::string id;
  int permissions = 0;  // of kReadGrant … kEverything

  bool operator==(const Grant&) const = default;
};

inline constexpr int kReadGrant = 1, kEverything = 31;

/// Whether HBase, who is anybody, has to read it.
enum class Sight { kOurs, kAnybodys };

/// "USER:PASSWORD" as ZooKeeper writes it into access control lists: user and a hash.
std::string DigestId(const std::string& user_and_password);

/// What is wrong with the list of a znode that should be ours alone, but for reading; empty: nothing.
std::string FaultOfGrants(const std::vector<Grant>& grants, const std::string& digest_id, Sight sight);

/// The list as ZooKeeper's shell takes it behind "setAcl ZNODE".
std::string ShellGrants(Sight sight);

}  // namespace fensi::capture
