#include "tests/indexer/support/random_history.h"

#include <rapidcheck.h>

namespace fensi::testing {
namespace {

rc::Gen<CellSpec> AnyCell(const Limits& limits) {
  using rc::gen::inRange;
  // Puts three times as often as deletes.
  const std::vector<int> kinds =
      limits.version_deletes ? std::vector<int>{9, 9, 9, 9, 0, 1, 2, 2, 3} : std::vector<int>{9, 9, 9, 9, 9, 0, 1};
  const std::vector<int> ttls = limits.ttls.empty() ? std::vector<int>{0} : limits.ttls;
  const auto cell = rc::gen::build<CellSpec>(
      rc::gen::set(&CellSpec::kind, rc::gen::elementOf(kinds)), rc::gen::set(&CellSpec::column, inRange(0, 3)),
      rc::gen::set(&CellSpec::timestamp, inRange(1, limits.timestamps + 1)),
      rc::gen::set(&CellSpec::value, inRange(0, 5)), rc::gen::set(&CellSpec::ttl, rc::gen::elementOf(ttls)));
  if (!limits.ttl_of_column) return cell;
  return rc::gen::map(cell, [ttls](CellSpec spec) {
    spec.ttl = ttls[static_cast<size_t>(spec.column) % ttls.size()];
    return spec;
  });
}

rc::Gen<EventSpec> AnyEvent(const Limits& limits) {
  using rc::gen::inRange;
  const auto cells = rc::gen::mapcat(
      inRange(1, 4), [limits](int n) { return rc::gen::container<std::vector<CellSpec>>(n, AnyCell(limits)); });
  return rc::gen::build<EventSpec>(
      rc::gen::set(&EventSpec::row, inRange(0, limits.rows)), rc::gen::set(&EventSpec::cells, cells),
      rc::gen::set(&EventSpec::compact_source, limits.compact_source
                                                   ? rc::gen::map(inRange(0, 6), [](int n) { return n == 5; })
                                                   : rc::gen::just(false)));
}

template <typename T>
rc::Gen<std::vector<T>> UpTo(int n, const rc::Gen<T>& element) {
  return rc::gen::mapcat(rc::gen::inRange(0, n + 1),
                         [element](int size) { return rc::gen::container<std::vector<T>>(size, element); });
}

rc::Gen<History> AnyHistory(const Limits& limits) {
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
  const auto batch_size = rc::gen::map(inRange(1, 5), [limits](int size) { return size * limits.batch; });
  const auto events = rc::gen::mapcat(inRange(1, n + 1), [limits](int size) {
    return rc::gen::container<std::vector<EventSpec>>(size, AnyEvent(limits));
  });
  // rapidcheck begins with small sizes; the whole range from the start finds more.
  return rc::gen::resize(
      100, rc::gen::build<History>(
               set(&History::events, events), set(&History::swaps, UpTo(order, swap)),
               set(&History::repeats, UpTo(2, repeat)), set(&History::deaths, UpTo(limits.deaths ? 3 : 0, death)),
               set(&History::batch_sizes, rc::gen::container<std::vector<int>>(4, batch_size)),
               set(&History::commit_every, rc::gen::container<std::vector<int>>(3, inRange(1, 4))),
               set(&History::compact_at, UpTo(2, inRange(0, 8))), set(&History::source_ahead, inRange(0, 4)),
               set(&History::source_late, inRange(0, 3)), set(&History::lose_kinds, rc::gen::just(limits.lose_kinds)),
               set(&History::bucket_bits, inRange(-1, 2)),
               set(&History::most_in_bucket, rc::gen::element(0, 30, 45, 60, 1'000)),
               set(&History::tick, rc::gen::just(limits.tick)), set(&History::base, rc::gen::just(limits.base))));
}

}  // namespace

History SomeHistory(const Limits& limits) { return *AnyHistory(limits); }
int SomeNumber(int from, int end) { return *rc::gen::inRange(from, end); }

}  // namespace fensi::testing
