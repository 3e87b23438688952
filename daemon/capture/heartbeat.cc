#include "daemon/capture/heartbeat.h"

#include "base/clock.h"

namespace fensi::daemon {
namespace {

constexpr char kQualifier[] = "heartbeat";
// The first region has no start key to write to.
constexpr char kFirstRow[] = "\x01";

}  // namespace

Heartbeat::Heartbeat(std::unique_ptr<store::Store> store, std::string table, std::chrono::milliseconds period,
                     capture::Notices notices)
    : owned_(std::move(store)),
      store_(owned_->Guarded([this] { return stopping_ ? Status(StatusCode::kCancelled, "stopping") : Status(); })),
      table_(std::move(table)),
      period_(period),
      notices_(std::move(notices)) {}

Heartbeat::~Heartbeat() {
  stopping_ = true;
  thread_.reset();
}

Status Heartbeat::Start() {
  const auto table = store_->DescribeTable(table_);
  if (!table.ok()) return table.status();
  if (!table->has_value() || (*table)->families.empty()) {
    return Status(StatusCode::kNotFound, "there is no heartbeat table '" + table_ +
                                             "'. Enter in the HBase shell: create '" + table_ +
                                             "', 'h', or correct --heartbeat_table");
  }
  family_ = (*table)->families.front().name;
  FENSI_RETURN_IF_ERROR(Beat());
  thread_.emplace(period_, [this] { BeatAgain(); });
  return Status();
}

Status Heartbeat::Beat() {
  // Asked each time: regions split and move.
  FENSI_ASSIGN_OR_RETURN(const std::vector<std::string> starts, store_->RegionStarts(table_));
  const int64_t now = SystemClock()->WallMillis();
  std::vector<store::RowMutation> rows;
  for (const std::string& start : starts) {
    const Cell cell{.family = family_, .qualifier = kQualifier, .timestamp = now, .value = std::to_string(now)};
    rows.push_back({start.empty() ? kFirstRow : start, {cell}});
  }
  return store_->Put(table_, rows).status();
}

void Heartbeat::BeatAgain() {
  const Status status = Beat();
  if (!status.ok() && !told_ && !stopping_) {
    notices_({.kind = capture::NoticeKind::kNoHeartbeat,
              .words = "the capture cannot write its heartbeat into table " + table_ +
                       " (--heartbeat_table), and tries again by itself: " + status.words(),
              .table = table_});
  }
  told_ = !status.ok();
}

}  // namespace fensi::daemon
