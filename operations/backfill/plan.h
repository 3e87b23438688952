// Formats the plan of a backfill: the rows, their owners, and the progress of the index and its last backfill. Pure.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "mapping/index.h"
#include "meta/index_record.h"
#include "sweep/jobs/board.h"

namespace fensi::operations {

struct BackfillPlan {
  const mapping::Index* index;
  std::string owners;  // for people
  size_t ranges;
  int64_t regions;                         // of the whole table
  meta::IndexState state;                  // from the meta table
  std::optional<sweep::JobSnapshot> last;  // absent: this index had no backfill
};

/// Lines for people.
std::string PlanText(const BackfillPlan& plan);
nlohmann::ordered_json PlanJson(const BackfillPlan& plan);

}  // namespace fensi::operations
