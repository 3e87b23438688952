// What a backfill shows before it begins: the rows, who owns them, and how far the index and its last backfill are.
// Pure.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "mapping/index.h"
#include "meta/index_record.h"
#include "sweep/board.h"

namespace fensi::cli {

struct BackfillPlan {
  const mapping::Index* index;
  std::string owners;  // for people
  size_t ranges;
  int64_t regions;                       // of the whole table
  meta::IndexState state;                // as the meta table has it
  std::optional<sweep::BoardView> last;  // absent: there was no backfill of this index
};

/// Lines for people.
std::string PlanText(const BackfillPlan& plan);
nlohmann::ordered_json PlanJson(const BackfillPlan& plan);

}  // namespace fensi::cli
