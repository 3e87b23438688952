// A random history: what happened to the source table, how the stream told it, and what went wrong meanwhile. All of
// it small numbers, so that rapidcheck shrinks a failing one to something a person can read.
#pragma once

#include <rapidcheck.h>

#include <ostream>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/cell.h"

namespace fensi::testing {

struct CellSpec {
  int kind = 0;    // see MakeCell
  int column = 0;  // k, v, m
  int timestamp = 1;
  int value = 0;  // a, b, c
};

struct EventSpec {
  int row = 0;
  std::vector<CellSpec> cells;
  bool compact_source = false;  // the source table is compacted after it
};

/// The stream swaps two neighbouring segments [at, at + left) and [at + left, at + left + right).
struct SwapSpec {
  int at = 0, left = 1, right = 1;
};

/// The stream tells [at, at + length) once more, `later` events later.
struct RepeatSpec {
  int at = 0, length = 1, later = 0;
};

/// The process dies at the `call`-th store call of the `batch`-th batch, before or after it took effect.
struct DeathSpec {
  int batch = 0, call = 1;
  bool after = false;
};

struct History {
  std::vector<EventSpec> events;
  std::vector<SwapSpec> swaps;
  std::vector<RepeatSpec> repeats;
  std::vector<DeathSpec> deaths;
  std::vector<int> batch_sizes;   // used in turn
  std::vector<int> commit_every;  // batches between commits, in turn
  std::vector<int> compact_at;    // batches after which index and state tables are compacted
  int source_ahead = 0;           // events by which the source is ahead of the stream
  bool lose_kinds = false;
};

/// What a history may contain.
struct Limits {
  bool version_deletes = false;
  bool disorder = true;
  bool compact_source = false;
  bool lose_kinds = false;  // the stream does not tell the kind of a delete
  int max_events = 12;
  int timestamps = 9;
};

inline std::string ColumnOf(int column) { return std::string(1, "kvm"[column % 3]); }
inline std::string RowOf(int row) { return "r" + std::to_string(row); }

inline Cell MakeCell(const CellSpec& spec) {
  Cell cell{.family = "f", .qualifier = ColumnOf(spec.column), .timestamp = spec.timestamp};
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
      cell.value = std::string(1, static_cast<char>('a' + spec.value));
  }
  return cell;
}

inline ChangeEvent MakeEvent(const EventSpec& spec, uint64_t sequence_id) {
  ChangeEvent event{.table = "source", .row = RowOf(spec.row), .sequence_id = sequence_id};
  for (const CellSpec& cell : spec.cells) event.cells.push_back(MakeCell(cell));
  return event;
}

/// The event as a stream tells it that only knows "delete".
inline ChangeEvent WithoutKinds(ChangeEvent event) {
  for (Cell& cell : event.cells) {
    if (cell.type != CellType::kPut) cell.type = CellType::kUnknownDelete;
  }
  event.sequence_id = 0;
  return event;
}

/// Order in which the stream tells the events: indexes into history.events.
inline std::vector<size_t> StreamOrder(const History& history) {
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

inline rc::Gen<CellSpec> AnyCell(const Limits& limits) {
  using rc::gen::inRange;
  // Puts three times as often as deletes.
  const std::vector<int> kinds =
      limits.version_deletes ? std::vector<int>{9, 9, 9, 9, 0, 1, 2, 2, 3} : std::vector<int>{9, 9, 9, 9, 9, 0, 1};
  return rc::gen::build<CellSpec>(rc::gen::set(&CellSpec::kind, rc::gen::elementOf(kinds)),
                                  rc::gen::set(&CellSpec::column, inRange(0, 3)),
                                  rc::gen::set(&CellSpec::timestamp, inRange(1, limits.timestamps + 1)),
                                  rc::gen::set(&CellSpec::value, inRange(0, 3)));
}

inline rc::Gen<EventSpec> AnyEvent(const Limits& limits) {
  using rc::gen::inRange;
  const auto cells = rc::gen::mapcat(
      inRange(1, 4), [limits](int n) { return rc::gen::container<std::vector<CellSpec>>(n, AnyCell(limits)); });
  return rc::gen::build<EventSpec>(
      rc::gen::set(&EventSpec::row, inRange(0, 2)), rc::gen::set(&EventSpec::cells, cells),
      rc::gen::set(&EventSpec::compact_source, limits.compact_source
                                                   ? rc::gen::map(inRange(0, 6), [](int n) { return n == 5; })
                                                   : rc::gen::just(false)));
}

template <typename T>
rc::Gen<std::vector<T>> UpTo(int n, const rc::Gen<T>& element) {
  return rc::gen::mapcat(rc::gen::inRange(0, n + 1),
                         [element](int size) { return rc::gen::container<std::vector<T>>(size, element); });
}

inline rc::Gen<History> AnyHistory(const Limits& limits) {
  using rc::gen::inRange;
  using rc::gen::set;
  const int n = limits.max_events;
  const int order = limits.disorder ? 3 : 0;
  const auto swap = rc::gen::build<SwapSpec>(set(&SwapSpec::at, inRange(0, n)), set(&SwapSpec::left, inRange(1, 4)),
                                             set(&SwapSpec::right, inRange(1, 4)));
  const auto repeat =
      rc::gen::build<RepeatSpec>(set(&RepeatSpec::at, inRange(0, n)), set(&RepeatSpec::length, inRange(1, n)),
                                 set(&RepeatSpec::later, limits.disorder ? inRange(0, 4) : rc::gen::just(0)));
  const auto death =
      rc::gen::build<DeathSpec>(set(&DeathSpec::batch, inRange(0, 8)), set(&DeathSpec::call, inRange(1, 7)),
                                set(&DeathSpec::after, rc::gen::arbitrary<bool>()));
  const auto events = rc::gen::mapcat(inRange(1, n + 1), [limits](int size) {
    return rc::gen::container<std::vector<EventSpec>>(size, AnyEvent(limits));
  });
  // rapidcheck begins with small sizes; the whole range from the start finds more.
  return rc::gen::resize(
      100, rc::gen::build<History>(set(&History::events, events), set(&History::swaps, UpTo(order, swap)),
                                   set(&History::repeats, UpTo(2, repeat)), set(&History::deaths, UpTo(3, death)),
                                   set(&History::batch_sizes, rc::gen::container<std::vector<int>>(4, inRange(1, 5))),
                                   set(&History::commit_every, rc::gen::container<std::vector<int>>(3, inRange(1, 4))),
                                   set(&History::compact_at, UpTo(2, inRange(0, 8))),
                                   set(&History::source_ahead, inRange(0, 4)),
                                   set(&History::lose_kinds, rc::gen::just(limits.lose_kinds))));
}

inline std::string Describe(const ChangeEvent& event) {
  std::string text = event.row + ":";
  for (const Cell& cell : event.cells) {
    text += " " + std::string(CellTypeName(cell.type)) + " " + cell.qualifier;
    if (cell.type == CellType::kPut) text += "=" + cell.value;
    text += "@" + std::to_string(cell.timestamp);
  }
  return text;
}

inline void showValue(const History& history, std::ostream& out) {
  for (size_t i = 0; i < history.events.size(); ++i) {
    out << "\n  " << i << "  " << Describe(MakeEvent(history.events[i], i + 1));
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
  out << "\n  source ahead by " << history.source_ahead << "\n";
}

}  // namespace fensi::testing
