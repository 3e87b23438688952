// Checks what HBase demands of a table's description and of a request. Every store makes the same checks before
// anything happens. Pure functions, any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/store.h"

namespace fensi::store {

/// kRejected with table, row and column if HBase would never accept the mutation: row of 1..kMaxRowBytes bytes, at
/// least one cell, timestamps in 0..INT64_MAX-1, a family name, values up to kMaxValueBytes, cells of the right kind.
Status CheckMutation(const std::string& table, const RowMutation& mutation, WriteKind kind);

/// kInvalidArgument for a name, family or split key that HBase would refuse.
Status CheckTable(const TableDescriptor& table, const std::vector<std::string>& split_keys);

/// The description as it is read back: families sorted, HBase's default values absent.
TableDescriptor Normalized(TableDescriptor table);

/// kInvalidArgument for an impossible row key, range or bound, fewer than one version, or a qualifier in a raw get.
Status CheckGet(const std::string& table, const GetRequest& request);
Status CheckScan(const std::string& table, const ScanRequest& request);

/// The coprocessor class in a table's attribute; empty: the attribute has none.
std::string CoprocessorIn(const std::string& attribute, const std::string& value);

bool HasFamily(const TableDescriptor& table, const std::string& family);

/// kConfiguration, naming the column, if the table lacks a family that is written or read: families are fixed in the
/// mapping, so a missing family is never the fault of a row.
Status CheckFamilies(const TableDescriptor& table, const RowMutation& mutation);
Status CheckFamilies(const TableDescriptor& table, std::span<const GetRequest::Column> columns);

/// The qualifier of ProbeCell.
inline constexpr std::string_view kProbeQualifier{"\0fensi: does this region take writes?", 37};

/// A cell that is never visible: its time to live ended in 1970. Neither plain nor raw reads return it, and the next
/// flush drops it. Shows whether a region takes writes.
Cell ProbeCell(const std::string& family);

}  // namespace fensi::store
