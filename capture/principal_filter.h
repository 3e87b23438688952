// Which principals of Kerberos may send edits.
//
// Pure; any thread after construction.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/joined.h"

namespace fensi::capture {

class PrincipalFilter {
 public:
  /// `principals`: "hbase/rs1.example.org@EXAMPLE.ORG", or "hbase/*@EXAMPLE.ORG" for each host of the realm. None:
  /// nobody.
  explicit PrincipalFilter(std::vector<std::string> principals) : principals_(std::move(principals)) {}

  /// `principal` as Kerberos writes it.
  bool Allows(std::string_view principal) const;
  /// For messages: "hbase/*@EXAMPLE.ORG, fensi@EXAMPLE.ORG".
  std::string Text() const { return Joined(principals_); }

 private:
  std::vector<std::string> principals_;
};

}  // namespace fensi::capture
