// Finds the event that made an index cell what it is. Blocks; one thread. Slow: for failed examples.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "mapping/index.h"
#include "mapping/test_case.h"

namespace fensi::operations {

class Causes {
 public:
  /// Tries every prefix of the events.
  static Result<Causes> Find(const std::shared_ptr<const mapping::Index>& index,
                             const std::vector<ChangeEvent>& events);

  /// "put by event 2 (row a: put f1:from @2 = 'c')", "removed by event …", or "no event puts it".
  std::string Of(const mapping::ExpectedCell& cell) const;

 private:
  explicit Causes(const std::vector<ChangeEvent>& events) : events_(events) {}
  bool Has(size_t after, const mapping::ExpectedCell& cell) const;

  std::vector<ChangeEvent> events_;
  std::vector<std::vector<mapping::ExpectedCell>> contents_;  // after 0, 1, 2 … events; sorted
};

/// "event 2 (row a: put f1:from @2 = 'c')"; `number` counts from 1.
std::string EventText(size_t number, const ChangeEvent& event);

}  // namespace fensi::operations
