// A history that is played while calls come late or twice, and what follows it.
#pragma once

#include <string>
#include <vector>

#include "tests/indexer/support/player.h"
#include "tests/indexer/support/storm_store.h"

namespace fensi::testing {

class StormyLife {
 public:
  StormyLife(World* world, const History& history, const std::vector<LateCall>& held,
             const std::vector<LateCall>& repeated);

  /// The first difference, or nothing.
  std::string Differs();
  size_t deaths() const { return player_.deaths(); }

 private:
  void Compare(const std::string& when);

  World* const world_;
  StormStore storm_;
  Player player_;
  bool may_replay_ = true;
  std::string difference_;
};

/// At most so many. Only inside of Holds().
std::vector<LateCall> SomeLateCalls(int most);

}  // namespace fensi::testing
