// Random change events for rapidcheck: every shape that CheckEvent lets pass.
#pragma once

#include <rapidcheck.h>

#include <string>

#include "base/cell.h"

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
    const auto any = gen::build<fensi::Cell>(gen::set(&fensi::Cell::family, family), gen::set(&fensi::Cell::qualifier),
                                             gen::set(&fensi::Cell::timestamp, gen::nonNegative<int64_t>()),
                                             gen::set(&fensi::Cell::type, type), gen::set(&fensi::Cell::value),
                                             gen::set(&fensi::Cell::tags));
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
