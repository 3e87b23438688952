// Reads a range of rows in answers of bounded size: fewer rows at once when they are wide, and a row that is too wide
// for one answer in pieces (row_getter.h). Blocks; used by one thread.
#pragma once

#include <string>
#include <vector>

#include "store/hbase/connection.h"
#include "store/hbase/row_getter.h"
#include "store/store.h"

namespace fensi::store {

class RangeScanner {
 public:
  /// All arguments must outlive it.
  RangeScanner(Connection& connection, const std::string& table, const ScanRequest& request, const ReadLimits& limits)
      : connection_(connection), table_(table), request_(request), limits_(limits), at_once_(request.max_rows) {}

  Status Read(std::vector<Row>* rows);

 private:
  /// The first rows from the request's start on.
  Status ReadSome(size_t count, std::vector<Row>* rows);
  Status ReadWideRow(std::vector<Row>* rows);
  Status Call(const thrift2::TScan& scan, std::vector<thrift2::TResult>* results);

  Connection& connection_;
  const std::string& table_;
  ScanRequest request_;  // its start goes forward
  const ReadLimits& limits_;
  size_t at_once_;  // rows
};

}  // namespace fensi::store
