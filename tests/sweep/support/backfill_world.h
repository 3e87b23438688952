// A source table on an embedded store, a board, and a sink that loses what was not flushed when its worker dies.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/random_name.h"
#include "meta/versioned_meta_row.h"
#include "support/sweep_world.h"
#include "sweep/jobs/backfill_worker.h"

namespace fensi::sweep {

/// What a broker acknowledged: of each row how often it was asked for.
struct Acknowledged {
  std::map<std::string, int> rows;
  std::vector<consumer::Request> requests;
};

class MemorySink final : public RequestSink {
 public:
  explicit MemorySink(Acknowledged* acknowledged) : acknowledged_(acknowledged) {}
  Status Send(const consumer::Request& request) override {
    FENSI_RETURN_IF_ERROR(consumer::CheckRequest(request));
    if (refuses_images && request.kind == consumer::Request::Kind::kImage) return {StatusCode::kRejected, "too large"};
    sent_.push_back(request);
    return {};
  }
  Status Flush() override {
    if (flushes_that_fail > 0) {
      --flushes_that_fail;
      sent_.clear();
      return {StatusCode::kUnavailable, "the broker is away"};
    }
    for (consumer::Request& request : sent_) {
      ++acknowledged_->rows[request.row];
      acknowledged_->requests.push_back(std::move(request));
    }
    sent_.clear();
    return {};
  }
  int flushes_that_fail = 0;
  bool refuses_images = false;

 private:
  Acknowledged* const acknowledged_;
  std::vector<consumer::Request> sent_;
};

class BackfillWorld {
 public:
  static constexpr char kIncarnation[] = "0123456789abcdef";

  explicit BackfillWorld(std::shared_ptr<const mapping::Index> index = FollowIndex()) : world_(std::move(index)) {
    MustBe(world_.store()->CreateTable(meta::MetaTable("fensi_meta"), {}));
  }

  SweepWorld& world() { return world_; }
  meta::VersionedMetaRow Row() { return {world_.faulty(), "fensi_meta", "job:fensi:backfill", world_.clock()}; }
  /// A new job over these ranges.
  Board Make(const std::vector<RowRange>& ranges, const JobPace& pace = {}) {
    const auto known = Board::Find(Row());
    MustBe(known.status());
    const auto job = Board::Make(Row(), *known, {RandomName(), 1, "all rows", pace}, ranges);
    MustBe(job.status());
    return {Row(), job->name};
  }
  BackfillDependencies Parts(const Board* board, RequestSink* sink) {
    return {.index = &world_.index(),
            .store = world_.faulty(),
            .board = board,
            .sink = sink,
            .clock = world_.clock(),
            .flow = &flow,
            .worker = RandomName(),
            .images = {.incarnation = kIncarnation, .job = board->job()},
            .times = times,
            .go_on = [this] { return go_on ? go_on() : Status(); }};
  }
  void PutRows(int rows) {
    for (int i = 0; i < rows; ++i) world_.PutSource(RowKey(i), "f1:from", "m");
  }
  static std::string RowKey(int number) {
    const std::string digits = std::to_string(number);
    return "r" + std::string(5 - digits.size(), '0') + digits;
  }

  BackfillFlow flow;
  std::optional<store::ScanRequest::Times> times;
  std::function<Status()> go_on;

 private:
  SweepWorld world_;
};

}  // namespace fensi::sweep
