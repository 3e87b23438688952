// Random change events and requests for rapidcheck: every shape that CheckEvent and CheckRequest let pass.
#pragma once

#include <rapidcheck.h>

#include <string>

#include "base/cell.h"
#include "base/hbase_limits.h"
#include "consumer/codec/request.h"

namespace rc {

template <>
struct Arbitrary<fensi::Tag> {
  static Gen<fensi::Tag> arbitrary() {
    return gen::build<fensi::Tag>(gen::set(&fensi::Tag::type), gen::set(&fensi::Tag::value));
  }
};

template <>
struct Arbitrary<fensi::Cell> {
  static Gen<fensi::Cell> arbitrary() {
    const auto family = gen::suchThat(gen::nonEmpty<std::string>(), [](const std::string& name) {
      return name.size() <= 127 && name.find(':') == std::string::npos;
    });
    const auto type = gen::element(fensi::CellType::kPut, fensi::CellType::kDelete, fensi::CellType::kDeleteColumn,
                                   fensi::CellType::kDeleteFamily, fensi::CellType::kDeleteFamilyVersion,
                                   fensi::CellType::kUnknownDelete);
    const auto any = gen::build<fensi::Cell>(
        gen::set(&fensi::Cell::family, family), gen::set(&fensi::Cell::qualifier),
        gen::set(&fensi::Cell::timestamp, gen::inRange<int64_t>(0, fensi::kMaxSourceTime + 1)),
        gen::set(&fensi::Cell::type, type), gen::set(&fensi::Cell::value), gen::set(&fensi::Cell::tags));
    return gen::map(any, [](fensi::Cell cell) {
      if (cell.type != fensi::CellType::kPut) cell.value.clear();
      const bool marker =
          cell.type == fensi::CellType::kDeleteFamily || cell.type == fensi::CellType::kDeleteFamilyVersion;
      if (marker) cell.qualifier.clear();
      return cell;
    });
  }
};

template <>
struct Arbitrary<fensi::ChangeEvent> {
  static Gen<fensi::ChangeEvent> arbitrary() {
    return gen::build<fensi::ChangeEvent>(
        gen::set(&fensi::ChangeEvent::table, gen::nonEmpty<std::string>()),
        gen::set(&fensi::ChangeEvent::row, gen::nonEmpty<std::string>()),
        gen::set(&fensi::ChangeEvent::cells, gen::resize(20, gen::nonEmpty<std::vector<fensi::Cell>>())),
        gen::set(&fensi::ChangeEvent::sequence_id), gen::set(&fensi::ChangeEvent::region),
        gen::set(&fensi::ChangeEvent::write_time, gen::nonNegative<int64_t>()));
  }
};

}  // namespace rc

namespace fensi::consumer {

inline rc::Gen<Suspect> ArbitrarySuspect() {
  return rc::gen::exec([] {
    Suspect suspect{.table = *rc::gen::nonEmpty<std::string>(), .row = *rc::gen::nonEmpty<std::string>()};
    if (*rc::gen::arbitrary<bool>()) {
      const Cell cell = *rc::gen::arbitrary<Cell>();
      suspect.family = cell.family;
      suspect.qualifier = cell.qualifier;
    }
    suspect.timestamp = *rc::gen::nonNegative<int64_t>();
    return suspect;
  });
}

inline Request ArbitraryImage() {
  const ChangeEvent event = *rc::gen::arbitrary<ChangeEvent>();
  return {.kind = Request::Kind::kImage,
          .table = event.table,
          .row = event.row,
          .cells = event.cells,
          .read_time = *rc::gen::positive<int64_t>(),
          .partial = *rc::gen::arbitrary<bool>()};
}

inline Request ArbitraryRecheck() {
  Request request{.kind = Request::Kind::kRecheck,
                  .table = *rc::gen::nonEmpty<std::string>(),
                  .row = *rc::gen::nonEmpty<std::string>(),
                  .suspects = *rc::gen::container<std::vector<Suspect>>(ArbitrarySuspect())};
  for (const Cell& cell : *rc::gen::arbitrary<std::vector<Cell>>()) {
    request.columns.push_back({cell.family, cell.qualifier});
  }
  return request;
}

}  // namespace fensi::consumer

namespace rc {

template <>
struct Arbitrary<fensi::consumer::Request> {
  static Gen<fensi::consumer::Request> arbitrary() {
    return gen::exec([] {
      using fensi::consumer::Request;
      Request request =
          *gen::arbitrary<bool>() ? fensi::consumer::ArbitraryImage() : fensi::consumer::ArbitraryRecheck();
      request.incarnation = *gen::container<std::string>(16, gen::elementOf(std::string("0123456789abcdef")));
      request.job = *gen::resize(200, gen::container<std::string>(gen::inRange<char>('!', 127)));
      return request;
    });
  }
};

}  // namespace rc
