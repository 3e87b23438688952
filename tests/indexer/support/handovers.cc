#include "tests/indexer/support/handovers.h"

#include <algorithm>
#include <span>
#include <utility>

#include "tests/indexer/support/two_logs.h"

namespace fensi::testing {
namespace {

constexpr size_t kPartitions = 2;
constexpr int kWhole = 10'000;  // events of a batch

size_t EntriesOfAll(const Rule& rule, const SourceModel& model) {
  size_t entries = 0;
  for (const std::string& row : model.Rows()) {
    Entries own;
    rule.expect(row, model.Visible(row), &own);
    entries += own.size();
  }
  return entries;
}

/// Cells of a row that came to light: a change of an older time must bring none.
bool Gains(const SourceModel::VisibleRow& before, const SourceModel::VisibleRow& after) {
  return std::any_of(after.begin(), after.end(), [&](const auto& cell) {
    const auto known = before.find(cell.first);
    return known == before.end() || !(known->second == cell.second);
  });
}

enum class Kind { kPut, kDeleteColumn, kDeleteFamily, kLatePut, kDeleteVersion };

Kind SomeKind(const Dice& dice) {
  constexpr Kind kKinds[] = {Kind::kPut,          Kind::kPut,          Kind::kPut,     Kind::kPut,
                             Kind::kDeleteColumn, Kind::kDeleteFamily, Kind::kLatePut, Kind::kDeleteVersion};
  return OneOf(dice, kKinds);
}

Cell SomeCell(const HandoverLimits& limits, int64_t number, Kind kind, const Dice& dice) {
  const int64_t now = number * limits.tick;
  Cell cell{.family = "f", .timestamp = now};
  cell.qualifier = OneOf(dice, limits.columns);
  if (kind == Kind::kPut || kind == Kind::kLatePut) {
    cell.value = OneOf(dice, limits.values);
  }
  // A put below a version delete is none that a later one hides.
  if (kind == Kind::kLatePut) cell.timestamp = std::max<int64_t>(2, now - limits.tick * dice(1, 6) - 1);
  if (kind == Kind::kDeleteVersion) cell.timestamp = std::max<int64_t>(1, now - limits.tick * dice(0, 6));
  if (kind == Kind::kDeleteColumn) cell.type = CellType::kDeleteColumn;
  if (kind == Kind::kDeleteVersion) cell.type = CellType::kDelete;
  if (kind != Kind::kDeleteFamily) return cell;
  cell.type = CellType::kDeleteFamily;
  cell.qualifier.clear();
  return cell;
}

}  // namespace

std::string EventText(const ChangeEvent& event) {
  std::string text = event.row + ":";
  for (const Cell& cell : event.cells) {
    text += " " + std::string(CellTypeName(cell.type)) + " " + cell.qualifier;
    if (cell.type == CellType::kPut) text += "=" + cell.value;
    text += "@" + std::to_string(cell.timestamp);
  }
  return text + (event.sequence_id == 0 ? "" : " #" + std::to_string(event.sequence_id));
}

std::string Handovers::Text() const {
  std::string text;
  text += ordered ? "\n  each row in order" : "\n  out of order";
  for (size_t i = 0; i < events.size(); ++i) text += "\n  " + std::to_string(i) + "  " + EventText(events[i]);
  return text;
}

void showValue(const Handovers& handovers, std::ostream& out) { out << handovers.Text(); }

Handovers SomeHandovers(const Rule& rule, const HandoverLimits& limits, const Dice& dice) {
  Handovers made;
  SourceModel model;
  const bool numbered = dice(0, 2) == 0;
  made.ordered = !limits.disorder || dice(0, 2) == 0;
  for (int number = 1; number <= limits.events; ++number) {
    const Kind kind = SomeKind(dice);
    const std::string row = "r" + std::to_string(dice(0, limits.rows));
    ChangeEvent event{.table = "source", .row = row, .cells = {SomeCell(limits, number, kind, dice)}};
    if (!made.ordered && kind == Kind::kDeleteVersion) continue;
    if (!made.ordered && kind == Kind::kLatePut) event.cells.front().value = "own-" + row;
    SourceModel next = model;
    next.Apply(event.row, event.cells);
    const bool late = kind == Kind::kLatePut || kind == Kind::kDeleteVersion;
    const bool lawful = EntriesOfAll(rule, next) == Expected(rule, next).size() &&
                        !(late && Gains(model.Visible(row), next.Visible(row)));
    if (!lawful) continue;
    model = std::move(next);
    event.sequence_id = numbered ? static_cast<uint64_t>(number) : 0;
    made.events.push_back(std::move(event));
  }
  return made;
}

HandoverPlayer::HandoverPlayer(World* world, const Handovers& handovers, bool tight, Dice dice)
    : world_(world),
      handovers_(handovers),
      dice_(std::move(dice)),
      may_die_(!tight),
      ahead_(dice_(0, 2) == 0 ? handovers.events.size() : static_cast<size_t>(dice_(0, 4))),
      late_(static_cast<size_t>(std::max(0, dice_(-1, 2)))),
      partitions_(kPartitions) {
  world->set_tight(tight);
}

size_t HandoverPlayer::PartitionOf(const ChangeEvent& event) const {
  return static_cast<size_t>(event.row.back()) % kPartitions;
}

/// Neighbours change places, and some are told again. Without sequence ids, and of what lies in one order, too.
void HandoverPlayer::Disturb(size_t from, std::vector<size_t>* order) {
  const auto place = [&] {
    return from + static_cast<size_t>(dice_(0, static_cast<int>(std::max<size_t>(1, order->size() - from))));
  };
  if (!handovers_.ordered) {
    for (int swaps = dice_(0, 3); swaps > 0; --swaps) {
      const size_t at = place();
      if (at + 1 < order->size()) std::swap((*order)[at], (*order)[at + 1]);
    }
  }
  for (int repeats = dice_(0, 3); repeats > 0; --repeats) {
    const size_t at = place();
    const size_t end = std::min(order->size(), at + static_cast<size_t>(dice_(1, 5)));
    const std::vector<size_t> again(order->begin() + static_cast<ptrdiff_t>(at),
                                    order->begin() + static_cast<ptrdiff_t>(end));
    order->insert(order->begin() + static_cast<ptrdiff_t>(end), again.begin(), again.end());
  }
}

void HandoverPlayer::Plan(size_t end) {
  std::vector<size_t> from;
  for (const Partition& partition : partitions_) from.push_back(partition.order.size());
  for (; planned_ < end; ++planned_) {
    partitions_[PartitionOf(handovers_.events[planned_])].order.push_back(planned_);
  }
  for (size_t i = 0; i < partitions_.size(); ++i) Disturb(from[i], &partitions_[i].order);
}

void HandoverPlayer::AdvanceSource(size_t to) {
  for (; source_ < std::min(to, planned_); ++source_) world_->ApplyToSource(handovers_.events[source_]);
}

void HandoverPlayer::TellSome(size_t number) {
  Partition* partition = &partitions_[number];
  if (partition->owner == nullptr) partition->owner = world_->NewMaintainer(std::exchange(fresh_, false));
  const int drawn = dice_(1, 6);
  const size_t left = partition->order.size() - partition->position;
  const size_t size = std::min(left, static_cast<size_t>(drawn == 5 ? kWhole : drawn));
  std::vector<ChangeEvent> events;
  told_ += "\n  partition " + std::to_string(number) + ":";
  world_->ShowSourceLate(late_);
  for (const size_t i : std::span(partition->order).subspan(partition->position, size)) {
    AdvanceSource(i + 1 + ahead_);
    events.push_back(handovers_.events[i]);
    told_ += " " + std::to_string(i);
  }
  partition->furthest = std::max(partition->furthest, partition->position + size);
  const int death = may_die_ && dice_(0, 4) == 0 ? dice_(1, 8) : 0;
  if (death > 0) {
    world_->faulty()->FailCall(death,
                               dice_(0, 2) == 0 ? store::FaultyStore::When::kAfter : store::FaultyStore::When::kBefore);
  }
  const consumer::Batch batch = world_->MakeBatch(events);
  Status applied = partition->owner->Apply(batch);
  if (applied.ok()) applied = world_->RereadSource(partition->owner.get(), batch);
  world_->faulty()->Heal();
  if (!applied.ok()) {
    told_ += " (dies at call " + std::to_string(death) + ")";
    partition->owner = nullptr;
    partition->position = partition->committed;
    return;
  }
  partition->position += size;
  if (partition->position == partition->order.size() || dice_(0, 2) == 0) partition->committed = partition->position;
  // M12: what an owner before may have begun comes first.
  if (partition->position >= partition->furthest && dice_(0, 5) == 0) AskSomething(partition);
}

void HandoverPlayer::AskSomething(Partition* partition) {
  const size_t at = static_cast<size_t>(dice_(0, static_cast<int>(partition->order.size())));
  const std::string row = handovers_.events[partition->order[at]].row;
  const bool recheck = !world_->with_source() || dice_(0, 2) == 0;
  told_ += (recheck ? "\n  recheck of " : "\n  image of ") + row;
  Must(ApplyRequests(world_, partition->owner.get(), {recheck ? RecheckOf(row) : ImageOf(world_, row)}));
}

void HandoverPlayer::Play(size_t end) {
  Plan(std::min(end, handovers_.events.size()));
  for (;;) {
    std::vector<size_t> open;
    for (size_t i = 0; i < partitions_.size(); ++i) {
      if (partitions_[i].position < partitions_[i].order.size()) open.push_back(i);
    }
    if (open.empty()) break;
    TellSome(open[static_cast<size_t>(dice_(0, static_cast<int>(open.size())))]);
  }
  AdvanceSource(planned_);
  world_->ShowSource();
}

void HandoverPlayer::Replay() {
  for (Partition& partition : partitions_) {
    partition.owner = nullptr;
    partition.position = partition.committed = partition.furthest = 0;
  }
  told_ += "\n  again:";
  Play(planned_);
}

}  // namespace fensi::testing
