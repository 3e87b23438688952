#include "consumer/part_joiner.h"

#include <algorithm>
#include <iterator>

#include "base/bytes.h"

namespace fensi::consumer {
namespace {

std::string KeyOf(const ChangeEvent& event) {
  std::string key;
  for (const std::string* piece : {&event.table, &event.row, &event.region}) {
    key.append(std::to_string(piece->size())).append(":").append(*piece);
  }
  return key + std::to_string(event.sequence_id);
}

}  // namespace

Result<bool> PartJoiner::Take(int64_t offset, const EventPart& part, ChangeEvent* event) {
  if (part.count < 2) return true;
  const std::string key = KeyOf(*event);
  if (part.number > 1) return Continue(key, part, event);
  Begin(key, offset, event);
  return false;
}

void PartJoiner::Begin(const std::string& key, int64_t offset, ChangeEvent* event) {
  if (open_.size() >= kMaxOpen && !open_.contains(key)) {
    const auto older = [](const auto& a, const auto& b) { return a.second.first_offset < b.second.first_offset; };
    open_.erase(std::min_element(open_.begin(), open_.end(), older));
  }
  open_[key] = {offset, 1, std::move(*event)};
}

Result<bool> PartJoiner::Continue(const std::string& key, const EventPart& part, ChangeEvent* event) {
  const auto found = open_.find(key);
  if (found == open_.end() || part.number > found->second.last_part + 1) {
    if (found != open_.end()) open_.erase(found);
    return Status(StatusCode::kInvalidArgument, "part " + std::to_string(part.number) + " of a mutation of row " +
                                                    Escape(event->row) + " came without those before it");
  }
  Open& open = found->second;
  if (part.number <= open.last_part) return false;  // sent again
  std::move(event->cells.begin(), event->cells.end(), std::back_inserter(open.event.cells));
  open.last_part = part.number;
  if (part.number < part.count) return false;
  *event = std::move(open.event);
  open_.erase(found);
  return true;
}

std::optional<int64_t> PartJoiner::hold_from() const {
  std::optional<int64_t> lowest;
  for (const auto& [key, open] : open_) lowest = std::min(lowest.value_or(open.first_offset), open.first_offset);
  return lowest;
}

}  // namespace fensi::consumer
