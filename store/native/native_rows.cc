#include "store/native/native_rows.h"

#include <set>

namespace fensi::store {
namespace {

using hbase::Comparison;
using hbase::FilterSpec;

/// More are found quicker among all cells of the family by who asked.
constexpr size_t kMostFiltered = 100;

/// The empty qualifier always: it holds the markers of the family.
FilterSpec FilterOfFamily(std::string_view family, const AskedColumns::Qualifiers& qualifiers) {
  const FilterSpec of_family = hbase::FamilyFilter(Comparison::kEqual, family);
  if (qualifiers.empty()) return of_family;
  std::vector<FilterSpec> alternatives = {hbase::QualifierFilter(Comparison::kEqual, "")};
  for (const std::string_view qualifier : qualifiers) {
    if (!qualifier.empty()) alternatives.push_back(hbase::QualifierFilter(Comparison::kEqual, qualifier));
  }
  return hbase::AllOf({of_family, hbase::AnyOf(alternatives)});
}

/// A raw scan refuses columns that are named to it.
FilterSpec FilterOfColumns(const AskedColumns& asked) {
  size_t named = 0;
  for (const auto& [family, qualifiers] : asked.families()) named += qualifiers.size();
  if (named == 0 || named > kMostFiltered) return {};
  std::vector<FilterSpec> parts;
  for (const auto& [family, qualifiers] : asked.families()) parts.push_back(FilterOfFamily(family, qualifiers));
  return hbase::AnyOf(parts);
}

/// If a family and a column of it are named, HBase takes the last one; here the family counts.
std::vector<hbase::ColumnName> NamesOf(std::span<const GetRequest::Column> columns, bool raw) {
  const AskedColumns asked(columns);
  std::vector<hbase::ColumnName> names;
  std::set<std::string_view> whole;
  for (const GetRequest::Column& column : columns) {
    const bool is_whole = raw || asked.HasWhole(column.family);
    if (is_whole && !whole.insert(column.family).second) continue;
    names.push_back({column.family, is_whole ? std::nullopt : column.qualifier});
  }
  return names;
}

}  // namespace

hbase::Mutation ToMutation(const RowMutation& mutation, WriteKind kind) {
  return {mutation.row, mutation.cells, kind == WriteKind::kDelete};
}

hbase::GetSpec ToGetSpec(const GetRequest& request) {
  constexpr uint32_t kMostOfFamily = 10'000;  // cells; a scan reads a row that has more
  hbase::GetSpec spec{.row = request.row, .columns = NamesOf(request.columns, request.raw)};
  spec.max_versions = request.max_versions;
  spec.raw = request.raw;
  spec.most_of_family = kMostOfFamily;
  return spec;
}

hbase::ScanSpec ToScanSpec(const ScanRequest& request, const AskedColumns& asked) {
  hbase::ScanSpec spec;
  spec.columns = NamesOf(request.columns, request.raw);
  spec.max_versions = request.max_versions;
  spec.raw = request.raw;
  spec.times = {request.times.from, request.times.to};
  std::vector<FilterSpec> filters;
  if (request.raw) {
    if (FilterSpec of_columns = FilterOfColumns(asked); !of_columns.empty()) filters.push_back(std::move(of_columns));
    spec.wanted = [&asked](const hbase::CellView& cell) {
      return IsFamilyMarker(static_cast<CellType>(cell.type)) || asked.Has(cell.family, cell.qualifier);
    };
  }
  if (request.keys_only) filters.push_back(hbase::KeysOnly());
  spec.filter = hbase::AllOf(filters);
  return spec;
}

/// Not by "exclusive": the filter takes the empty qualifier for no bound at all.
FilterSpec FilterBehind(const ColumnPlace& place) {
  const FilterSpec same =
      hbase::AllOf({hbase::FamilyFilter(Comparison::kEqual, place.family), hbase::ColumnsFrom(place.qualifier + '\0')});
  return hbase::AnyOf({same, hbase::FamilyFilter(Comparison::kGreater, place.family)});
}

Row ToRow(std::string_view row, std::span<const hbase::CellView> cells) {
  Row out{std::string(row), {}};
  out.cells.resize(cells.size());
  for (size_t i = 0; i < cells.size(); ++i) {
    const hbase::CellView& from = cells[i];
    Cell& to = out.cells[i];
    to.family = from.family;
    to.qualifier = from.qualifier;
    to.timestamp = from.timestamp;
    to.type = static_cast<CellType>(from.type);
    to.value = from.value;
  }
  return out;
}

}  // namespace fensi::store
