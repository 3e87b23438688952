#include "tests/indexer/support/history.h"

#include <algorithm>

#include "base/bytes.h"

namespace fensi::testing {
namespace {

std::string ColumnOf(int column) { return std::string(1, "kvm"[column % 3]); }
std::string RowOf(int row) { return "r" + std::to_string(row); }

std::string ValueOf(int value) {
  constexpr const char* kValues[] = {"a", "b", "c", "a,b", "b,c"};
  return kValues[value % 5];
}

Cell MakeCell(const CellSpec& spec, int64_t tick) {
  Cell cell{.family = "f", .qualifier = ColumnOf(spec.column), .timestamp = spec.timestamp * tick};
  switch (spec.kind) {
    case 0:
      cell.type = CellType::kDeleteColumn;
      break;
    case 1:
      cell.type = CellType::kDeleteFamily;
      cell.qualifier.clear();
      break;
    case 2:
      cell.type = CellType::kDelete;
      break;
    case 3:
      cell.type = CellType::kDeleteFamilyVersion;
      cell.qualifier.clear();
      break;
    default:
      cell.value = ValueOf(spec.value);
      if (spec.ttl > 0) cell.tags.push_back(MakeTtlTag(spec.ttl));
  }
  return cell;
}

std::string Describe(const ChangeEvent& event) {
  std::string text = event.row + ":";
  for (const Cell& cell : event.cells) {
    text += " " + std::string(CellTypeName(cell.type)) + " " + cell.qualifier;
    if (cell.type == CellType::kPut) text += "=" + cell.value;
    text += "@" + std::to_string(cell.timestamp);
    if (const std::string* ttl = TtlOf(cell)) text += " for " + std::to_string(ReadBigEndian64(*ttl)) + " ms";
  }
  return text;
}

}  // namespace

ChangeEvent MakeEvent(const EventSpec& spec, uint64_t sequence_id, int64_t tick, int64_t base) {
  ChangeEvent event{.table = "source", .row = RowOf(spec.row), .sequence_id = sequence_id};
  for (const CellSpec& cell : spec.cells) event.cells.push_back(MakeCell(cell, tick));
  for (Cell& cell : event.cells) cell.timestamp += spec.row * tick / 4 + base;
  return event;
}

ChangeEvent WithoutKinds(ChangeEvent event) {
  for (Cell& cell : event.cells) {
    if (cell.type != CellType::kPut) cell.type = CellType::kUnknownDelete;
  }
  event.sequence_id = 0;
  return event;
}

indexer::StateLayout LayoutOf(const History& history) {
  if (history.bucket_bits < 0) return {};
  return {.bucket_bits = history.bucket_bits, .most_in_bucket = static_cast<size_t>(history.most_in_bucket)};
}

std::vector<size_t> StreamOrder(const History& history) {
  std::vector<size_t> order(history.events.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  for (const SwapSpec& swap : history.swaps) {
    const size_t at = swap.at, middle = at + swap.left, end = middle + swap.right;
    if (end <= order.size()) std::rotate(order.begin() + at, order.begin() + middle, order.begin() + end);
  }
  for (const RepeatSpec& repeat : history.repeats) {
    const size_t end = repeat.at + repeat.length;
    if (end > order.size()) continue;
    const std::vector<size_t> again(order.begin() + repeat.at, order.begin() + end);
    const size_t place = std::min(order.size(), end + repeat.later);
    order.insert(order.begin() + static_cast<ptrdiff_t>(place), again.begin(), again.end());
  }
  return order;
}

void showValue(const History& history, std::ostream& out) {
  for (size_t i = 0; i < history.events.size(); ++i) {
    out << "\n  " << i << "  " << Describe(MakeEvent(history.events[i], i + 1, history.tick, history.base));
    if (history.events[i].compact_source) out << "  (then the source is compacted)";
  }
  out << "\n  stream:";
  for (size_t i : StreamOrder(history)) out << " " << i;
  out << "\n  batch sizes:";
  for (int size : history.batch_sizes) out << " " << size;
  out << "  commits every:";
  for (int every : history.commit_every) out << " " << every;
  for (const DeathSpec& death : history.deaths) {
    out << "\n  dies in batch " << death.batch << " " << (death.after ? "after" : "before") << " call " << death.call;
  }
  for (int batch : history.compact_at) out << "\n  compacts after batch " << batch;
  out << "\n  source ahead by " << history.source_ahead << ", shown late by " << history.source_late << ", bucket bits "
      << history.bucket_bits << ", up to " << history.most_in_bucket << " bytes\n";
}

}  // namespace fensi::testing
