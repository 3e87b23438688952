// The Multi call: actions on rows of several regions of one server in one request, and their answers.
//
// Answers are in the order of the regions, and within a region each has the index of its action. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hbase/locate/region.h"
#include "hbase/requests.h"
#include "hbase/wire/call_frame.h"
#include "hbase/wire/connection.h"

namespace fensi::hbase {

/// Actions on rows of one region, in order: indexes of the batch.
struct RegionActions {
  LocationPtr region;
  std::vector<size_t> items;
  bool own_call = false;  // not in a call with others: one was refused as a whole, perhaps for its size
};

std::string BuildMutations(const CallHead& head, std::span<const RegionActions> regions,
                           std::span<const Mutation> mutations);
std::string BuildGets(const CallHead& head, std::span<const RegionActions> regions, std::span<const GetSpec> gets);

/// Approximate size of a mutation in a request.
size_t RequestBytes(const Mutation& mutation);

/// The results of the actions of one region.
struct RegionAnswer {
  std::optional<RemoteError> error;  // of all of them
  struct OfItem {
    size_t position = 0;  // in RegionActions::items
    std::optional<RemoteError> error;
    std::vector<CellView> cells;
  };
  std::vector<OfItem> items;  // each position at most once; a missing one was not done
};

/// One result per region, in order. kUnavailable: the answer does not match the request.
Result<std::vector<RegionAnswer>> ReadMulti(const Answer& answer, std::span<const RegionActions> regions);

}  // namespace fensi::hbase
