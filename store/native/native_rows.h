// Converts requests and rows of a Store to those of HBase's client, and back. Pure, any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "hbase/requests.h"
#include "store/asked_columns.h"
#include "store/store.h"

namespace fensi::store {

/// Borrows the mutation.
hbase::Mutation ToMutation(const RowMutation& mutation, WriteKind kind);

hbase::GetSpec ToGetSpec(const GetRequest& request);

/// The scan without its rows, start and bounds. `asked`: its columns; they and the request must outlive the result.
hbase::ScanSpec ToScanSpec(const ScanRequest& request, const AskedColumns& asked);

/// A filter for columns after the given one in the first row.
hbase::FilterSpec FilterBehind(const ColumnPlace& place);

Row ToRow(std::string_view row, std::span<const hbase::CellView> cells);

}  // namespace fensi::store
