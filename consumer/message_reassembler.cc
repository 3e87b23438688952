#include "consumer/message_reassembler.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/bytes.h"
#include "consumer/codec/message.h"

namespace fensi::consumer {
namespace {

constexpr size_t kRememberedAttempts = 4096;

std::string MutationOf(const ChangeEvent& event) {
  std::string key;
  for (const std::string* piece : {&event.table, &event.row, &event.region}) {
    key.append(std::to_string(piece->size())).append(":").append(*piece);
  }
  return key + std::to_string(event.sequence_id);
}

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

Result<bool> MessageReassembler::Take(int64_t offset, int64_t broker_time, const EventPart& part, ChangeEvent* event) {
  if (!attempts_.empty()) GiveUpOld(broker_time);
  if (part.count < 2) {
    if (!attempts_.empty()) Close(MutationOf(*event), /*for_good=*/false);
    return true;
  }
  if (part.number < 1 || part.number > part.count) {
    return InvalidPart(part.number, part.count).WithContext("row '" + Escape(event->row) + "'");
  }
  const Key key{MutationOf(*event), part.attempt, part.count};
  if (closed_.contains(key) || closed_.contains({key.mutation})) return false;
  if (Add(key, offset, broker_time, part, event)) return true;
  GiveUpForRoom(key);
  return false;
}

bool MessageReassembler::Add(const Key& key, int64_t offset, int64_t broker_time, const EventPart& part,
                             ChangeEvent* event) {
  const auto [place, fresh] = attempts_.try_emplace(key);
  Attempt& attempt = place->second;
  std::vector<Cell> cells = std::move(event->cells);
  event->cells.clear();
  if (fresh) {
    attempt.first_offset = offset;
    attempt.first_time = broker_time;
    attempt.head = *event;
  }
  const size_t bytes = BytesOf(cells);
  if (attempt.parts.try_emplace(part.number, std::move(cells)).second) {  // else sent again
    attempt.bytes += bytes;
    bytes_ += bytes;
  }
  if (attempt.parts.size() < key.count) return false;
  for (auto& [number, piece] : attempt.parts) {
    std::move(piece.begin(), piece.end(), std::back_inserter(event->cells));
  }
  Close(key.mutation, part.whole_row);
  return true;
}

void MessageReassembler::Close(const Mutation& mutation, bool for_good) {
  const auto first = attempts_.lower_bound({mutation});
  auto last = first;
  for (; last != attempts_.end() && last->first.mutation == mutation; ++last) {
    bytes_ -= last->second.bytes;
    if (!for_good) Remember(last->first);
  }
  attempts_.erase(first, last);
  if (for_good) Remember({mutation});
}

void MessageReassembler::Remember(Key closed) {
  if (!closed_.insert(closed).second) return;
  closed_order_.push_back(std::move(closed));
  if (closed_order_.size() <= kRememberedAttempts) return;
  closed_.erase(closed_order_.front());
  closed_order_.pop_front();
}

void MessageReassembler::GiveUpOld(int64_t broker_time) {
  if (broker_time == 0) return;
  for (auto attempt = attempts_.begin(); attempt != attempts_.end();) {
    const auto next = std::next(attempt);
    const int64_t first = attempt->second.first_time;
    if (first != 0 && broker_time - first > kTimeout.count()) GiveUp(attempt, "did not arrive within an hour");
    attempt = next;
  }
}

void MessageReassembler::GiveUpForRoom(const Key& current) {
  while (bytes_ > kMaxBytes && attempts_.size() > 1) {
    auto oldest = attempts_.end();
    for (auto attempt = attempts_.begin(); attempt != attempts_.end(); ++attempt) {
      if (attempt->first == current) continue;
      if (oldest == attempts_.end() || attempt->second.first_offset < oldest->second.first_offset) oldest = attempt;
    }
    GiveUp(oldest, "did not arrive before fensi needed the memory for other mutations");
  }
}

void MessageReassembler::GiveUp(std::map<Key, Attempt>::iterator attempt, const std::string& why) {
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
  bytes_ -= lost.bytes;
  given_up_.push_back(std::move(given_up));
  attempts_.erase(attempt);
}

std::vector<MessageReassembler::AbandonedMessage> MessageReassembler::TakeAbandoned() {
  return std::exchange(given_up_, {});
}

std::optional<int64_t> MessageReassembler::first_held_offset() const {
  std::optional<int64_t> lowest;
  for (const auto& [key, attempt] : attempts_) {
    lowest = std::min(lowest.value_or(attempt.first_offset), attempt.first_offset);
  }
  return lowest;
}

}  // namespace fensi::consumer
