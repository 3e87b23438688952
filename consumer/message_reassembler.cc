#include "consumer/message_reassembler.h"

#include <xxhash.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/bytes.h"
#include "consumer/codec/message.h"

namespace fensi::consumer {
namespace {

constexpr size_t kRememberedAttempts = 4096;
// An attempt beside its cells and names: nodes of both maps, and of the map of its parts.
constexpr size_t kAttemptBytes = 512;

size_t BytesOf(const std::vector<Cell>& cells) {
  size_t bytes = 0;
  for (const Cell& cell : cells) {
    bytes += sizeof(Cell) + cell.family.size() + cell.qualifier.size() + cell.value.size();
    for (const Tag& tag : cell.tags) bytes += sizeof(Tag) + tag.value.size();
  }
  return bytes;
}

/// Each column once: it was changed, in an unknown way.
void ForgetKinds(std::vector<Cell>* cells) {
  for (Cell& cell : *cells) {
    cell.type = CellType::kUnknownDelete;
    cell.value.clear();
    cell.tags.clear();
  }
}

}  // namespace

MessageReassembler::Mutation MessageReassembler::MutationOf(const ChangeEvent& event) {
  std::string names;
  for (const std::string* piece : {&event.table, &event.row, &event.region}) {
    names.append(std::to_string(piece->size())).append(":").append(*piece);
  }
  names += std::to_string(event.sequence_id);
  const XXH128_hash_t hash = XXH3_128bits(names.data(), names.size());
  return {hash.high64, hash.low64};
}

Result<bool> MessageReassembler::Take(int64_t offset, int64_t message_time, const EventPart& part, ChangeEvent* event) {
  if (!attempts_.empty()) GiveUpOld(message_time);
  if (part.count < 2) {
    if (!attempts_.empty()) Close(MutationOf(*event), /*for_good=*/false);
    return true;
  }
  if (part.number < 1 || part.number > part.count) {
    return InvalidPart(part.number, part.count).WithContext("row '" + Escape(event->row) + "'");
  }
  const Key key{MutationOf(*event), part.attempt, part.count};
  if (closed_.contains(key) || closed_.contains({key.mutation})) return false;
  if (Add(key, offset, message_time, part, event)) return true;
  GiveUpForRoom(key);
  return false;
}

bool MessageReassembler::Add(const Key& key, int64_t offset, int64_t message_time, const EventPart& part,
                             ChangeEvent* event) {
  const auto [place, fresh] = attempts_.try_emplace(key);
  Attempt& attempt = place->second;
  std::vector<Cell> cells = std::move(event->cells);
  event->cells.clear();
  if (fresh) {
    attempt.first_offset = offset;
    attempt.first_time = message_time;
    attempt.head = *event;
    by_offset_.insert_or_assign(offset, place);
  }
  size_t bytes = fresh ? kAttemptBytes + event->table.size() + event->row.size() + event->region.size() : 0;
  const size_t of_cells = BytesOf(cells);
  if (attempt.parts.try_emplace(part.number, std::move(cells)).second) bytes += of_cells;  // else sent again
  attempt.bytes += bytes;
  bytes_ += bytes;
  if (attempt.parts.size() < key.count) return false;
  for (auto& [number, piece] : attempt.parts) {
    std::move(piece.begin(), piece.end(), std::back_inserter(event->cells));
  }
  Close(key.mutation, part.whole_row);
  return true;
}

void MessageReassembler::Close(const Mutation& mutation, bool for_good) {
  auto attempt = attempts_.lower_bound({mutation});
  while (attempt != attempts_.end() && attempt->first.mutation == mutation) {
    if (!for_good) Remember(attempt->first);
    attempt = Forget(attempt);
  }
  if (for_good) Remember({mutation});
}

void MessageReassembler::Remember(Key closed) {
  if (!closed_.insert(closed).second) return;
  closed_order_.push_back(closed);
  if (closed_order_.size() <= kRememberedAttempts) return;
  closed_.erase(closed_order_.front());
  closed_order_.pop_front();
}

void MessageReassembler::GiveUpOld(int64_t message_time) {
  if (message_time == 0) return;
  while (!by_offset_.empty()) {
    const auto oldest = by_offset_.begin()->second;
    int64_t& first_time = oldest->second.first_time;
    if (first_time == 0) first_time = message_time;
    if (message_time - first_time <= kTimeout.count()) return;
    GiveUp(oldest, "did not arrive within an hour");
  }
}

void MessageReassembler::GiveUpForRoom(const Key& current) {
  while (bytes_ > kMaxBytes && attempts_.size() > 1) {
    auto oldest = by_offset_.begin();
    if (oldest->second->first == current) ++oldest;
    GiveUp(oldest->second, "did not arrive before fensi needed the memory for other mutations");
  }
}

MessageReassembler::Attempts::iterator MessageReassembler::Forget(Attempts::iterator attempt) {
  bytes_ -= attempt->second.bytes;
  by_offset_.erase(attempt->second.first_offset);
  return attempts_.erase(attempt);
}

void MessageReassembler::GiveUp(Attempts::iterator attempt, const std::string& why) {
  const Key& key = attempt->first;
  Attempt& lost = attempt->second;
  AbandonedMessage given_up{lost.first_offset, "", std::move(lost.head)};
  given_up.reason =
      std::to_string(key.count - lost.parts.size()) + " of " + std::to_string(key.count) +
      " parts of a mutation of row " + Escape(given_up.event.row) + " in table " + Escape(given_up.event.table) + " " +
      why + ". If fensi can read the source table, it reads there the columns of the parts that came. Repair the row";
  for (auto& [number, cells] : lost.parts) {
    ForgetKinds(&cells);
    std::move(cells.begin(), cells.end(), std::back_inserter(given_up.event.cells));
  }
  given_up_.push_back(std::move(given_up));
  Forget(attempt);
}

std::vector<MessageReassembler::AbandonedMessage> MessageReassembler::TakeAbandoned() {
  return std::exchange(given_up_, {});
}

std::optional<int64_t> MessageReassembler::first_held_offset() const {
  return by_offset_.empty() ? std::nullopt : std::optional(by_offset_.begin()->first);
}

}  // namespace fensi::consumer
