#include "mapping/cases/read_given.h"

#include <algorithm>
#include <array>
#include <limits>

#include "mapping/cases/read_values.h"
#include "mapping/yaml/fields.h"

namespace fensi::mapping {
namespace {

constexpr std::string_view kHint =
    "for example { put: a, 'f1:from': b, ts: 1 } or { delete_column: a, column: 'f1:from', ts: 5 }";

constexpr std::array kTypes = {CellType::kPut, CellType::kDelete, CellType::kDeleteColumn, CellType::kDeleteFamily,
                               CellType::kDeleteFamilyVersion};

/// Which kind of change an item is: the one key that names a cell type.
const Node::Field* TypeField(const Node& item, CellType* type) {
  for (const Node::Field& field : item.fields) {
    for (const CellType candidate : kTypes) {
      if (field.key.text != CellTypeName(candidate)) continue;
      *type = candidate;
      return &field;
    }
  }
  return nullptr;
}

/// Reads the cells of one item behind its first key.
class ItemReader {
 public:
  ItemReader(const Node& item, const Outside& outside, Reporter* reporter)
      : item_(item), outside_(outside), reporter_(reporter) {}

  std::optional<ChangeEvent> Read(const std::string& table) {
    CellType type = CellType::kPut;
    const Node::Field* field = TypeField(item_, &type);
    if (field == nullptr) {
      reporter_->Report(Code::kMissingKey, item_.place, "this item of 'given' is no change", {std::string(kHint)});
      return std::nullopt;
    }
    ChangeEvent event;
    event.table = table;
    event.row = ReadBytes(field->value, "the row", reporter_);
    const size_t errors = reporter_->errors();
    if (type == CellType::kPut) {
      ReadPuts(&event);
    } else if (IsFamilyMarker(type)) {
      ReadFamilyMarker(type, &event);
    } else {
      ReadColumnMarker(type, &event);
    }
    if (reporter_->errors() > errors) return std::nullopt;
    return event;
  }

 private:
  int64_t Timestamp() {
    for (const Node::Field& field : item_.fields) {
      if (field.key.text != "ts") continue;
      if (!IsKind(field.value, Node::Kind::kText, "'ts'", reporter_)) return 0;
      const std::optional<int64_t> number = ParseInteger(field.value.text);
      if (number && *number >= 0 && *number < std::numeric_limits<int64_t>::max()) return *number;
      reporter_->Report(Code::kBadNumber, field.value.place, "'ts' must be a timestamp in milliseconds");
      return 0;
    }
    reporter_->Report(Code::kMissingKey, item_.place, "this change has no 'ts'", {std::string(kHint)});
    return 0;
  }

  void ReadPuts(ChangeEvent* event) {
    const int64_t timestamp = Timestamp();
    bool any = false;
    for (const Node::Field& field : item_.fields) {
      if (field.key.text == "put" || field.key.text == "ts") continue;
      any = true;
      const std::optional<Column> column = ReadColumn(field.key, reporter_);
      const std::string value = ReadValue(field.value, outside_, reporter_);
      if (column) event->cells.push_back({column->family, column->qualifier, timestamp, CellType::kPut, value, {}});
    }
    if (!any) reporter_->Report(Code::kEmpty, item_.place, "this put has no column", {std::string(kHint)});
  }

  void ReadColumnMarker(CellType type, ChangeEvent* event) {
    const Fields fields(item_, "this change", {CellTypeName(type), "column", "ts"}, reporter_);
    const int64_t timestamp = Timestamp();
    const Node* name = fields.Require("column");
    if (name == nullptr || fields.Text("column") == nullptr) return;
    const std::optional<Column> column = ReadColumn(*name, reporter_);
    if (column) event->cells.push_back({column->family, column->qualifier, timestamp, type, "", {}});
  }

  void ReadFamilyMarker(CellType type, ChangeEvent* event) {
    const Fields fields(item_, "this change", {CellTypeName(type), "family", "ts"}, reporter_);
    const int64_t timestamp = Timestamp();
    const Node* family = fields.Require("family");
    if (family == nullptr || fields.Text("family") == nullptr) return;
    event->cells.push_back({ReadBytes(*family, "the family", reporter_), "", timestamp, type, "", {}});
  }

  const Node& item_;
  const Outside& outside_;
  Reporter* const reporter_;
};

std::optional<ChangeEvent> ReadMutation(const Node& list, const std::string& table, const Outside& outside,
                                        Reporter* reporter) {
  if (!IsKind(list, Node::Kind::kList, "'event'", reporter)) return std::nullopt;
  std::optional<ChangeEvent> whole;
  for (const Node& item : list.items) {
    std::optional<ChangeEvent> part = ItemReader(item, outside, reporter).Read(table);
    if (!part) return std::nullopt;
    if (!whole) {
      whole = std::move(part);
    } else if (whole->row != part->row) {
      reporter->Report(Code::kWrongKind, item.place, "an event changes one row only, and this is another");
      return std::nullopt;
    } else {
      std::move(part->cells.begin(), part->cells.end(), std::back_inserter(whole->cells));
    }
  }
  if (!whole) reporter->Report(Code::kEmpty, list.place, "'event' has no change", {std::string(kHint)});
  return whole;
}

}  // namespace

std::optional<ChangeEvent> ReadGiven(const Node& node, const std::string& table, const Outside& outside,
                                     Reporter* reporter) {
  if (!IsKind(node, Node::Kind::kMap, "an item of 'given'", reporter)) return std::nullopt;
  const Node* event = node.Find("event");
  if (event == nullptr) return ItemReader(node, outside, reporter).Read(table);
  const Fields fields(node, "this item of 'given'", {"event"}, reporter);
  return ReadMutation(*event, table, outside, reporter);
}

}  // namespace fensi::mapping
