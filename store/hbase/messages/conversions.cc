#include "store/hbase/messages/conversions.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "base/bytes.h"
#include "base/hbase_limits.h"
#include "store/check.h"
#include "store/hbase/messages/filters.h"

namespace fensi::store {
namespace {

constexpr DeleteKind kDeleteKinds[] = {
    {CellType::kDelete, thrift2::TDeleteType::DELETE_COLUMN, true},
    {CellType::kDeleteColumn, thrift2::TDeleteType::DELETE_COLUMNS, true},
    {CellType::kDeleteFamily, thrift2::TDeleteType::DELETE_FAMILY, false},
    {CellType::kDeleteFamilyVersion, thrift2::TDeleteType::DELETE_FAMILY_VERSION, false},
};

/// HBase's client drops the first of two DELETE_FAMILY of one family in one TDelete (Delete.addFamily).
bool Takes(const thrift2::TDelete& target, const DeleteKind& kind, const Cell& cell) {
  if (target.deleteType != kind.thrift) return false;
  return cell.type != CellType::kDeleteFamily ||
         std::none_of(target.columns.begin(), target.columns.end(),
                      [&](const thrift2::TColumn& column) { return column.family == cell.family; });
}

/// Always with a timestamp: without one HBase would take its own clock or the newest version.
thrift2::TColumn ToDeletedColumn(const Cell& cell, const DeleteKind& kind) {
  thrift2::TColumn column;
  column.__set_family(cell.family);
  if (kind.has_qualifier) column.__set_qualifier(cell.qualifier);
  column.__set_timestamp(cell.timestamp);
  return column;
}

thrift2::TColumnValue ToColumnValue(const Cell& cell) {
  thrift2::TColumnValue value;
  value.__set_family(cell.family);
  value.__set_qualifier(cell.qualifier);
  value.__set_value(cell.value);
  value.__set_timestamp(cell.timestamp);
  return value;
}

/// The common part of gets and scans. A raw read asks for all versions: HBase ends a column after the last wanted put
/// and so hides the markers below it, and with a filter it counts markers as versions, too.
template <typename Request, typename ThriftRequest>
void SetReading(const Request& request, ThriftRequest* out) {
  out->__set_maxVersions(request.raw ? std::numeric_limits<int32_t>::max() : request.max_versions);
  if (request.raw) out->__set_attributes({{"_raw_", "\xff"}});
  if (request.columns.empty()) return;
  const AskedColumns asked(request.columns);
  std::vector<thrift2::TColumn> columns;
  std::set<std::string_view> families;  // that stand there as a whole
  for (const GetRequest::Column& column : request.columns) {
    const bool whole = request.raw || asked.HasWhole(column.family);
    if (whole && !families.insert(column.family).second) continue;
    columns.emplace_back().__set_family(column.family);
    if (!whole) columns.back().__set_qualifier(*column.qualifier);
  }
  out->__set_columns(std::move(columns));
}

using BloomFilter = thrift2::TBloomFilterType::type;
using Compression = thrift2::TCompressionAlgorithm::type;

const std::map<std::string, BloomFilter> kBloomFilters = {{"NONE", thrift2::TBloomFilterType::NONE},
                                                          {"ROW", thrift2::TBloomFilterType::ROW},
                                                          {"ROWCOL", thrift2::TBloomFilterType::ROWCOL}};
const std::map<std::string, Compression> kCompressions = {
    {"NONE", thrift2::TCompressionAlgorithm::NONE}, {"GZ", thrift2::TCompressionAlgorithm::GZ},
    {"LZO", thrift2::TCompressionAlgorithm::LZO},   {"SNAPPY", thrift2::TCompressionAlgorithm::SNAPPY},
    {"LZ4", thrift2::TCompressionAlgorithm::LZ4},   {"ZSTD", thrift2::TCompressionAlgorithm::ZSTD}};

/// The name of a value that we have no name for is its number.
template <typename Value>
std::string NameOf(const std::map<std::string, Value>& names, Value value) {
  for (const auto& [name, named] : names) {
    if (named == value) return name;
  }
  return std::to_string(static_cast<int>(value));
}

thrift2::TColumnFamilyDescriptor ToFamily(const FamilyDescriptor& family) {
  thrift2::TColumnFamilyDescriptor out;
  out.__set_name(family.name);
  out.__set_maxVersions(family.max_versions);
  if (family.min_versions) out.__set_minVersions(*family.min_versions);
  if (family.ttl_seconds) out.__set_timeToLive(*family.ttl_seconds);
  out.__set_bloomnFilterType(kBloomFilters.at(family.bloom_filter));
  out.__set_compressionType(kCompressions.at(family.compression));
  out.__set_inMemory(family.in_memory);
  out.__set_blockCacheEnabled(family.block_cache);
  if (family.block_size) out.__set_blockSize(*family.block_size);
  out.__set_scope(family.replication_scope);
  if (!family.configuration.empty()) out.__set_configuration(family.configuration);
  return out;
}

FamilyDescriptor FromFamily(const thrift2::TColumnFamilyDescriptor& family) {
  FamilyDescriptor out;
  out.name = family.name;
  if (family.__isset.maxVersions) out.max_versions = family.maxVersions;
  if (family.__isset.minVersions) out.min_versions = family.minVersions;
  if (family.__isset.timeToLive) out.ttl_seconds = family.timeToLive;
  if (family.__isset.bloomnFilterType) out.bloom_filter = NameOf(kBloomFilters, family.bloomnFilterType);
  if (family.__isset.compressionType) out.compression = NameOf(kCompressions, family.compressionType);
  if (family.__isset.inMemory) out.in_memory = family.inMemory;
  if (family.__isset.blockCacheEnabled) out.block_cache = family.blockCacheEnabled;
  if (family.__isset.blockSize) out.block_size = family.blockSize;
  if (family.__isset.scope) out.replication_scope = family.scope;
  out.configuration = family.configuration;
  return out;
}

}  // namespace

const DeleteKind& KindOf(CellType type) {
  return *std::find_if(std::begin(kDeleteKinds), std::end(kDeleteKinds) - 1,
                       [&](const DeleteKind& kind) { return kind.type == type; });
}

thrift2::TPut ToPut(const RowMutation& mutation) {
  thrift2::TPut put;
  put.__set_row(mutation.row);
  put.columnValues.reserve(mutation.cells.size());
  for (const Cell& cell : mutation.cells) put.columnValues.push_back(ToColumnValue(cell));
  if (const std::string* ttl = TtlOf(mutation.cells.front())) put.__set_attributes({{kTtlAttribute, *ttl}});
  return put;
}

std::vector<thrift2::TDelete> ToDeletes(const RowMutation& mutation) {
  std::vector<thrift2::TDelete> deletes;
  for (const Cell& cell : mutation.cells) {
    const DeleteKind& kind = KindOf(cell.type);
    auto target =
        std::find_if(deletes.begin(), deletes.end(), [&](const thrift2::TDelete& d) { return Takes(d, kind, cell); });
    if (target == deletes.end()) {
      target = deletes.emplace(target);
      target->__set_row(mutation.row);
      target->__set_deleteType(kind.thrift);
      target->__isset.columns = true;
    }
    target->columns.push_back(ToDeletedColumn(cell, kind));
  }
  return deletes;
}

thrift2::TGet ToGet(const GetRequest& request) {
  thrift2::TGet get;
  get.__set_row(request.row);
  SetReading(request, &get);
  return get;
}

thrift2::TScan ToScan(const ScanRequest& request) {
  thrift2::TScan scan;
  if (!request.start_row.empty()) scan.__set_startRow(request.start_row);
  // The filter that `behind` needs is for this row.
  const std::string stop_row = request.behind ? RowAfter(request.start_row) : request.stop_row;
  if (!stop_row.empty()) scan.__set_stopRow(stop_row);
  scan.__set_limit(static_cast<int32_t>(std::min<size_t>(request.max_rows, INT32_MAX)));
  if (request.times.from > 0 || request.times.to < std::numeric_limits<int64_t>::max()) {
    thrift2::TTimeRange times;
    times.__set_minStamp(request.times.from);
    times.__set_maxStamp(request.times.to);
    scan.__set_timeRange(times);
  }
  if (const std::string filter = FilterOf(request); !filter.empty()) scan.__set_filterString(filter);
  SetReading(request, &scan);
  return scan;
}

std::vector<Cell> ToCells(std::vector<thrift2::TColumnValue>&& values) {
  std::vector<Cell> cells(values.size());
  for (size_t i = 0; i < cells.size(); ++i) {
    thrift2::TColumnValue& value = values[i];
    cells[i].family = std::move(value.family);
    cells[i].qualifier = std::move(value.qualifier);
    cells[i].timestamp = value.timestamp;
    if (value.__isset.type) cells[i].type = static_cast<CellType>(value.type);
    cells[i].value = std::move(value.value);
  }
  return cells;
}

thrift2::TTableName ToTableName(const std::string& table) {
  const ColumnName name = SplitColumn(table);  // the same rule: the first colon
  thrift2::TTableName out;
  if (name.has_qualifier) out.__set_ns(std::string(name.family));
  out.__set_qualifier(std::string(name.has_qualifier ? name.qualifier : name.family));
  return out;
}

std::string FromTableName(const thrift2::TTableName& name) {
  const bool named = name.__isset.ns && !name.ns.empty() && name.ns != "default";
  return named ? name.ns + ":" + name.qualifier : name.qualifier;
}

thrift2::TTableDescriptor ToTableDescriptor(const TableDescriptor& table) {
  thrift2::TTableDescriptor out;
  out.__set_tableName(ToTableName(table.name));
  std::vector<thrift2::TColumnFamilyDescriptor> families;
  for (const FamilyDescriptor& family : table.families) families.push_back(ToFamily(family));
  out.__set_columns(families);
  return out;
}

TableDescriptor FromTableDescriptor(const std::string& name, const thrift2::TTableDescriptor& table) {
  TableDescriptor out;
  out.name = CanonicalTableName(name);
  for (const thrift2::TColumnFamilyDescriptor& family : table.columns) out.families.push_back(FromFamily(family));
  for (const auto& [attribute, value] : table.attributes) {
    if (std::string found = CoprocessorIn(attribute, value); !found.empty())
      out.coprocessors.push_back(std::move(found));
  }
  return Normalized(std::move(out));
}

}  // namespace fensi::store
