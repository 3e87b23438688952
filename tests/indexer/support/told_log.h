// The changes of a world's source in the order of its log, for tests that hand parts of it to owners of their own.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tests/indexer/support/scenario.h"

namespace fensi::testing {

class ToldLog {
 public:
  explicit ToldLog(World* world) : world_(world) {}

  /// The next event, of one cell (scenario.h), at the source too; sequence ids count up.
  void Happens(const std::string& cell, const std::string& row = "r") {
    events_.push_back({.table = "source", .row = row, .cells = {ParseCell(cell)}, .sequence_id = events_.size() + 1});
    world_->ApplyToSource(events_.back());
  }

  size_t size() const { return events_.size(); }
  consumer::Batch Part(size_t from, size_t count) const {
    return world_->MakeBatch(std::span(events_).subspan(from, count));
  }
  consumer::Batch From(size_t from) const { return Part(from, size() - from); }

 private:
  World* const world_;
  std::vector<ChangeEvent> events_;
};

}  // namespace fensi::testing
