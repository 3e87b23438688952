#include "store/check.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <set>

#include "base/bytes.h"
#include "base/hbase_limits.h"
#include "base/quoted.h"

namespace fensi::store {
namespace {

constexpr int32_t kForever = std::numeric_limits<int32_t>::max();

/// A row key may have 32 KiB.
RedactableText RowWords(std::string_view row) { return RedactableText::Quote(EscapeSome(row, 80)); }

Status Rejected(const std::string& table, const std::string& row, const RedactableText& what) {
  return Status(StatusCode::kRejected, "table " + table + ", row " + RowWords(row) + ": " + what);
}

Status NoSuchFamily(const std::string& table, const std::string& family) {
  return Status(StatusCode::kConfiguration, "table " + table + " has no family " + Escape(family) +
                                                ". Add it in the HBase shell: alter '" + table + "', {NAME => '" +
                                                Escape(family) + "'}");
}

bool IsDelete(CellType type) {
  return type == CellType::kDelete || type == CellType::kDeleteColumn || type == CellType::kDeleteFamily ||
         type == CellType::kDeleteFamilyVersion;
}

/// The error in the cell, or empty.
std::string CellFault(const Cell& cell, WriteKind kind) {
  if (cell.family.empty()) return "the family is empty";
  if (cell.timestamp < 0) return "the timestamp " + std::to_string(cell.timestamp) + " is negative";
  if (cell.timestamp == std::numeric_limits<int64_t>::max()) {
    return "the timestamp " + std::to_string(cell.timestamp) + " means \"now\" to HBase, so no cell can have it";
  }
  const bool is_right = kind == WriteKind::kDelete ? IsDelete(cell.type) : cell.type == CellType::kPut;
  if (!is_right) {
    return "a cell of type " + std::string(CellTypeName(cell.type)) +
           (kind == WriteKind::kDelete ? " is no delete" : " is no put");
  }
  if (cell.value.size() > kMaxValueBytes) {
    return "the value has " + std::to_string(cell.value.size()) + " bytes, and HBase allows at most " +
           std::to_string(kMaxValueBytes);
  }
  const std::string* ttl = TtlOf(cell);
  if (ttl != nullptr && ttl->size() != 8) return "the TTL tag has " + std::to_string(ttl->size()) + " bytes, not 8";
  return "";
}

bool SameTtl(const Cell& a, const Cell& b) {
  const std::string* left = TtlOf(a);
  const std::string* right = TtlOf(b);
  return left == nullptr || right == nullptr ? left == right : *left == *right;
}

bool LegalFamily(const std::string& name) {
  return !name.empty() && name.size() <= kMaxFamilyBytes && name[0] != '.' &&
         std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return c > 0x20 && c < 0x7f && c != ':' && c != '/' && c != '\\'; });
}

Status CheckFamily(const std::string& table, const FamilyDescriptor& family) {
  const std::string where = "table " + table + ", family " + Escape(family.name) + ": ";
  if (!LegalFamily(family.name))
    return InvalidArgument(where + "the family name is not valid. Write 1 to " + std::to_string(kMaxFamilyBytes) +
                           " printable ASCII characters without ':', '/' and '\\', and without '.' at the beginning");
  if (family.max_versions < 1) {
    return InvalidArgument(where + "max_versions is " + std::to_string(family.max_versions) +
                           ", and must be at least 1");
  }
  if (family.min_versions && (*family.min_versions < 0 || *family.min_versions > family.max_versions)) {
    return InvalidArgument(
        where + "min_versions is " + std::to_string(*family.min_versions) + ", and the family keeps " +
        std::to_string(family.max_versions) +
        " versions ('versions' in a mapping file, 1 by default). Lower min_versions, or raise 'versions'");
  }
  if (family.ttl_seconds && *family.ttl_seconds < 1) {
    return InvalidArgument(where + "ttl_seconds is " + std::to_string(*family.ttl_seconds) +
                           ", and must be at least 1");
  }
  if (!std::set<std::string>{"NONE", "ROW", "ROWCOL"}.contains(family.bloom_filter)) {
    return InvalidArgument(where + "bloom filter \"" + family.bloom_filter +
                           "\" is not valid: write NONE, ROW or ROWCOL");
  }
  if (!std::set<std::string>{"NONE", "GZ", "SNAPPY", "LZO", "LZ4", "ZSTD"}.contains(family.compression)) {
    return InvalidArgument(where + "compression \"" + family.compression +
                           "\" is not valid: write NONE, GZ, SNAPPY, LZO, LZ4 or ZSTD");
  }
  return Status();
}

Status CheckVersions(const RedactableText& where, int32_t versions) {
  return versions < 1 ? InvalidArgument(where + "max_versions must be at least 1") : Status();
}

}  // namespace

Status CheckMutation(const std::string& table, const RowMutation& mutation, WriteKind kind) {
  const std::string& row = mutation.row;
  if (row.empty()) return Rejected(table, row, RedactableText("the row key is empty"));
  if (row.size() > kMaxRowBytes) {
    return Rejected(table, row,
                    RedactableText("the row key has more than " + std::to_string(kMaxRowBytes) +
                                   " bytes, the limit of HBase. Use shorter row keys"));
  }
  if (mutation.cells.empty()) return Rejected(table, row, RedactableText("the mutation has no cells"));
  for (const Cell& cell : mutation.cells) {
    std::string fault = CellFault(cell, kind);
    if (fault.empty() && !SameTtl(cell, mutation.cells.front())) {
      fault = "cells of one mutation must carry the same TTL tag";
    }
    if (fault.empty()) continue;
    return Rejected(table, row, "column " + QuotedColumn(cell.family, cell.qualifier) + ": " + fault);
  }
  return Status();
}

Status CheckTable(const TableDescriptor& table, const std::vector<std::string>& split_keys) {
  FENSI_RETURN_IF_ERROR(ParseTableName(table.name).status());
  if (table.families.empty()) return InvalidArgument("table " + table.name + " has no family");
  std::set<std::string> families;
  for (const FamilyDescriptor& family : table.families) {
    FENSI_RETURN_IF_ERROR(CheckFamily(table.name, family));
    if (!families.insert(family.name).second)
      return InvalidArgument("table " + table.name + " names family " + family.name + " twice");
  }
  std::set<std::string> keys;
  for (const std::string& key : split_keys) {
    if (key.empty()) return InvalidArgument("table " + table.name + ": a split key is empty. Leave out the empty key");
    if (!keys.insert(key).second)
      return InvalidArgument("table " + table.name + ": split key " + QuotedBytes(key) +
                             " is given twice. Leave out one of the two");
  }
  return Status();
}

TableDescriptor Normalized(TableDescriptor table) {
  for (FamilyDescriptor& family : table.families) {
    if (family.min_versions == kDefaultMinVersions) family.min_versions.reset();
    if (family.ttl_seconds == kForever) family.ttl_seconds.reset();
    if (family.block_size == kDefaultBlockSize) family.block_size.reset();
  }
  std::sort(table.families.begin(), table.families.end(),
            [](const FamilyDescriptor& a, const FamilyDescriptor& b) { return a.name < b.name; });
  return table;
}

Status CheckGet(const std::string& table, const GetRequest& request) {
  const RedactableText where = "table " + table + ", row " + RowWords(request.row) + ": ";
  if (request.row.empty()) return InvalidArgument(where + "the row key is empty. Give a row key of at least 1 byte");
  if (request.row.size() > kMaxRowBytes) {
    return InvalidArgument(where + "the row key has " + std::to_string(request.row.size()) +
                           " bytes, and HBase allows at most " + std::to_string(kMaxRowBytes) +
                           ". Give a shorter row key");
  }
  const bool qualified = std::any_of(request.columns.begin(), request.columns.end(),
                                     [](const auto& c) { return c.qualifier.has_value(); });
  if (request.raw && qualified) return InvalidArgument(where + "a raw get takes whole families only");
  return CheckVersions(where, request.max_versions);
}

Status CheckScan(const std::string& table, const ScanRequest& request) {
  const RedactableText where("scan of table " + table + ": ");
  if (request.max_rows < 1) return InvalidArgument(where + "max_rows must be at least 1");
  if (request.max_cells < 1) return InvalidArgument(where + "max_cells must be at least 1");
  if (request.behind && request.start_row.empty())
    return InvalidArgument(where + "a column to begin after needs its row");
  if (request.times.from < 0 || request.times.to <= request.times.from) {
    return InvalidArgument(where + "the time range is empty. Its start must be at least 0 and less than its end: [" +
                           std::to_string(request.times.from) + ", " + std::to_string(request.times.to) + ")");
  }
  return CheckVersions(where, request.max_versions);
}

/// The value is "path|class|priority|arguments".
std::string CoprocessorIn(const std::string& attribute, const std::string& value) {
  constexpr std::string_view kName = "coprocessor$";  // HBase takes it in any case
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  const bool is_one =
      attribute.size() > kName.size() && std::equal(kName.begin(), kName.end(), attribute.begin(),
                                                    [&](char name, char found) { return same(found, name); });
  const size_t begin = value.find('|');
  if (!is_one || begin == std::string::npos) return "";
  return value.substr(begin + 1, value.find('|', begin + 1) - begin - 1);
}

bool HasFamily(const TableDescriptor& table, const std::string& family) {
  return std::any_of(table.families.begin(), table.families.end(), [&](const auto& f) { return f.name == family; });
}

Status CheckFamilies(const TableDescriptor& table, const RowMutation& mutation) {
  for (const Cell& cell : mutation.cells) {
    if (!HasFamily(table, cell.family)) {
      return NoSuchFamily(table.name, cell.family)
          .WithContext("row " + RowWords(mutation.row) + ", column " + QuotedColumn(cell.family, cell.qualifier));
    }
  }
  return Status();
}

Status CheckFamilies(const TableDescriptor& table, std::span<const GetRequest::Column> columns) {
  for (const GetRequest::Column& column : columns) {
    if (!HasFamily(table, column.family)) return NoSuchFamily(table.name, column.family);
  }
  return Status();
}

Cell ProbeCell(const std::string& family) {
  Cell cell{.family = family, .qualifier = std::string(kProbeQualifier), .timestamp = 1};
  cell.tags.push_back(MakeTtlTag(1));
  return cell;
}

}  // namespace fensi::store
