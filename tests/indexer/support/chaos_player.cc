#include "tests/indexer/support/chaos_player.h"

#include <algorithm>
#include <exception>
#include <set>
#include <utility>

#include "tests/indexer/support/two_logs.h"

namespace fensi::testing {
namespace {

constexpr int64_t kEverything = INT64_MAX;
constexpr int64_t kRetentionMillis = 5 * kDayMillis;  // of all rules with period tables
constexpr int kMostRereads = 200;

/// What an index must not lack or have; entries of a table that begins before `retention:` may be either.
Entries Within(const Entries& entries, const Rule& rule, int64_t now) {
  Entries within;
  for (const auto& [cell, value] : entries) {
    const auto table =
        std::find(rule.period_tables.begin(), rule.period_tables.end(), cell.first.substr(0, cell.first.find('/')));
    const int64_t begins = (table - rule.period_tables.begin()) * kDayMillis;
    if (begins > now - kRetentionMillis) within[cell] = value;
  }
  return within;
}

}  // namespace

ChaosPlayer::ChaosPlayer(World* world, const ChaosHistory& history, ChaosCounts* counts)
    : world_(world), history_(history), counts_(counts), law_(history.setting), partitions_(kChaosPartitions) {
  const ChaosSetting& setting = history.setting;
  world->Reset();
  world->set_tight(setting.tight);
  world->set_layout({.bucket_bits = static_cast<uint8_t>(setting.bucket_bits)});
  world->clock()->Set(setting.start);
  if (setting.read_points) world->TellReadPoints(setting.catches_up);
}

std::string ChaosPlayer::Differs() {
  for (size_t i = 0; i < history_.steps.size() && wrong_.empty(); ++i) {
    try {
      Play(history_.steps[i]);
    } catch (const std::exception& error) {
      wrong_ = std::string("throws ") + error.what();
    }
    if (!wrong_.empty()) wrong_ = "at step " + std::to_string(i) + ": " + wrong_;
  }
  (*counts_)["keys that another row got"] += law_.passed();
  (*counts_)["keys that another row got at their end"] += law_.passed_at_end();
  if (lawful_ && law_.Promises(repeats_)) return wrong_;
  ++(*counts_)["outside of the promise"];
  return "";
}

void ChaosPlayer::Play(const ChaosStep& step) {
  Partition* partition = &partitions_[static_cast<size_t>(step.partition)];
  switch (step.kind) {
    case ChaosStep::kHappen:
      return Happen(step);
    case ChaosStep::kApply:
      return Apply(partition, step);
    case ChaosStep::kRequest:
      return Request(step);
    case ChaosStep::kApplyRequests:
      return ApplyRequests(partition, step);
    case ChaosStep::kReplay:
      return Replay();
    case ChaosStep::kRepeat:
      return Repeat(partition, step);
    case ChaosStep::kDeliverLate:
      return DeliverLate(step.n);
    case ChaosStep::kShowLate:
      return world_->ShowSourceLate(static_cast<size_t>(step.n));
    case ChaosStep::kCompactIndex:
      return Compact(false);
    case ChaosStep::kPurge:
      return Compact(true);
    case ChaosStep::kSettle:
      Settle();
      return Compare();
  }
}

void ChaosPlayer::Happen(const ChaosStep& step) {
  lawful_ &= law_.Take(step);
  world_->clock()->Set(std::max(world_->clock()->WallMillis(), step.clock));
  Partition& partition = partitions_[static_cast<size_t>(PartitionOf(step.event.row))];
  // What an owner has received has its place.
  const size_t open = partition.log.size() - std::max(partition.furthest, partition.position);
  size_t early = 0;
  const auto passes = [&](size_t number) { return !history_.setting.ordered || events_[number].row != step.event.row; };
  while (early < std::min(static_cast<size_t>(step.early), open) &&
         passes(*(partition.log.rbegin() + static_cast<ptrdiff_t>(early))))
    ++early;
  partition.log.insert(partition.log.end() - static_cast<ptrdiff_t>(early), events_.size());
  events_.push_back(step.event);
  applied_.push_back(false);
  if (history_.setting.numbered) events_.back().sequence_id = events_.size();
  world_->ApplyToSource(events_.back());
  ++(*counts_)["events"];
}

indexer::IndexMaintainer* ChaosPlayer::OwnerOf(Partition* partition) {
  if (partition->owner != nullptr) return partition->owner.get();
  partition->store = std::make_unique<DyingStore>(world_->faulty(), &late_);
  partition->owner = world_->NewMaintainer(std::exchange(fresh_, false), partition->store.get());
  return partition->owner.get();
}

template <typename Applied>
Status ChaosPlayer::Reread(indexer::IndexMaintainer* owner, const Applied& applied, int shown) {
  for (int rereads = 0; owner->second_look(); ++rereads) {
    if (rereads == kMostRereads) return Status(StatusCode::kInternal, "re-reads have no end");
    ++(*counts_)["re-reads"];
    if (rereads >= shown) world_->ShowSource();
    const auto wait = *owner->second_look() - world_->clock()->MonotonicNow();
    if (wait.count() > 0) world_->clock()->Advance(wait);
    FENSI_RETURN_IF_ERROR(owner->RereadSource(applied));
  }
  return {};
}

bool ChaosPlayer::Lives(Partition* partition, const Status& applied) {
  if (applied.ok()) {
    partition->store->Arm({});
    return true;
  }
  if (!partition->store->dead()) wrong_ = "an owner fails: " + applied.ToString();
  ++(*counts_)["deaths"];
  partition->owner = nullptr;
  partition->position = partition->committed;
  return false;
}

std::vector<ChangeEvent> ChaosPlayer::NextOf(Partition* partition, size_t size) {
  std::vector<ChangeEvent> events;
  for (size_t i = partition->position; i < partition->position + size; ++i) {
    const size_t number = partition->log[i];
    if (applied_[number]) {
      ++repeats_[events_[number].row].times;
      ++(*counts_)["events applied again"];
    }
    applied_[number] = true;
    events.push_back(events_[number]);
  }
  (*counts_)["batches of 10 and more"] += size >= 10;
  partition->furthest = std::max(partition->furthest, partition->position + size);
  return events;
}

void ChaosPlayer::Apply(Partition* partition, const ChaosStep& step) {
  // M12: requests that an owner before has begun come first.
  if (partition->requests_begun) ApplyRequests(partition, {});
  const size_t left = partition->log.size() - partition->position;
  const size_t size = std::min(left, static_cast<size_t>(step.n));
  if (size == 0 || !wrong_.empty()) return;
  indexer::IndexMaintainer* owner = OwnerOf(partition);
  const auto offset = static_cast<int64_t>(partition->position);
  const consumer::Batch batch = world_->MakeBatch(NextOf(partition, size), offset);
  partition->store->Arm(step.death);
  Status applied = owner->Apply(batch);
  if (applied.ok()) applied = Reread(owner, batch, history_.setting.read_points ? 2 : 0);
  if (!Lives(partition, applied)) return;
  partition->position += size;
  if (step.commit) partition->committed = partition->position;
}

void ChaosPlayer::ApplyRequests(Partition* partition, const ChaosStep& step) {
  // M12: the stream is applied up to where an owner before has begun.
  if (partition->requests.empty() || partition->position < partition->furthest) return;
  indexer::IndexMaintainer* owner = OwnerOf(partition);
  partition->committed = partition->position;
  partition->requests_begun = true;
  const std::vector<consumer::Request> requests(partition->requests.begin(), partition->requests.end());
  (*counts_)["requests"] += static_cast<int64_t>(requests.size());
  for (const consumer::Request& request : requests) {
    ++repeats_[request.row].times;
    repeats_[request.row].requested = true;
  }
  partition->store->Arm(step.death);
  const indexer::ToldRequests told = ToldOf(world_, requests);
  Status applied = owner->Apply(told);
  if (applied.ok()) applied = Reread(owner, told, 0);
  if (!Lives(partition, applied)) return;
  partition->requests_begun = false;
  partition->requests.clear();
}

void ChaosPlayer::Request(const ChaosStep& step) {
  if (!history_.setting.with_source) return;
  std::set<std::string> rows;
  for (const ChangeEvent& event : events_) {
    const bool wanted = step.row.empty() ? PartitionOf(event.row) == step.partition : event.row == step.row;
    if (wanted) rows.insert(event.row);
  }
  for (const std::string& row : rows) {
    Partition& of_row = partitions_[static_cast<size_t>(PartitionOf(row))];
    of_row.requests.push_back(step.recheck ? RecheckOf(row) : ImageOf(world_, row));
  }
}

void ChaosPlayer::Repeat(Partition* partition, const ChaosStep& step) {
  std::vector<size_t>& log = partition->log;
  if (log.empty()) return;
  const size_t from = step.from % log.size(), end = std::min(log.size(), from + static_cast<size_t>(step.n));
  const std::vector<size_t> again(log.begin() + static_cast<ptrdiff_t>(from),
                                  log.begin() + static_cast<ptrdiff_t>(end));
  log.insert(log.end(), again.begin(), again.end());
}

void ChaosPlayer::Replay() {
  Settle();
  ++(*counts_)["replays"];
  for (Partition& partition : partitions_) {
    partition.owner = nullptr;
    partition.position = partition.committed = partition.furthest = 0;
  }
}

void ChaosPlayer::DeliverLate(int64_t most) {
  for (; most > 0 && !late_.empty(); --most) {
    Must(Deliver(world_->store(), late_.front()).status());
    late_.pop_front();
    ++(*counts_)["late writes"];
  }
}

/// Delivery: "If a late write arrives after HBase has purged the delete markers, the write may change the index." A
/// marker stays for a day from the timestamp of the removed entry. docs/consistency.md#delivery
void ChaosPlayer::Compact(bool purge) {
  if (purge || world_->clock()->WallMillis() >= kDayMillis) DeliverLate(kEverything);
  if (purge) Settle();
  world_->CompactIndex(purge && history_.setting.ttl_s == 0);
}

void ChaosPlayer::Settle() {
  for (Partition& partition : partitions_) {
    Apply(&partition, {.n = kEverything});
    if (wrong_.empty()) ApplyRequests(&partition, {});
    partition.committed = partition.position;
  }
  DeliverLate(kEverything);
  world_->ShowSource();
}

std::string ChaosPlayer::WrongLetter() const {
  for (const auto& letter : world_->letters()->letters()) {
    // Period tables: an entry far ahead of the clock has no table.
    if (letter.reason.find("outside of") == std::string::npos) return "a dead letter: " + letter.reason;
  }
  return "";
}

std::string ChaosPlayer::DifferenceNow() {
  const ChaosSetting& setting = history_.setting;
  const Entries wanted = world_->Wanted(), found = world_->Actual();
  if (!world_->rule().period_tables.empty()) {
    const int64_t now = world_->clock()->WallMillis();
    return DifferenceOf(Within(wanted, world_->rule(), now), Within(found, world_->rule(), now));
  }
  if (setting.ttl_s == 0 || setting.exact) return DifferenceOf(wanted, found);
  // Without `expire: exact`: "An entry may outlive a source cell." docs/consistency.md#without-expire-exact
  // Unique indexes: "a daemon whose clock is behind may write an entry of an expired cell. The entry may stay until its
  // own TTL ends, even if the row changes." docs/consistency.md#unique-indexes
  const bool any_may_stay = world_->index().unique() && setting.behind > 0;
  const Entries ended = Expected(world_->rule(), world_->model());
  Entries without_ended = found;
  std::erase_if(without_ended, [&](const auto& entry) {
    const bool outlives = !wanted.contains(entry.first) && (any_may_stay || ended.contains(entry.first));
    (*counts_)["entries that outlive a cell"] += outlives;
    return outlives;
  });
  return DifferenceOf(wanted, without_ended);
}

void ChaosPlayer::Compare() {
  if (!wrong_.empty()) return;
  ++(*counts_)["comparisons"];
  wrong_ = WrongLetter();
  if (wrong_.empty()) wrong_ = DifferenceNow();
}

}  // namespace fensi::testing
