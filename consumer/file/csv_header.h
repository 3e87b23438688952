// What the first record of a CSV file says, and how the records behind it become change events.
//
// Pure; immutable.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/cell.h"
#include "base/status.h"
#include "consumer/file/csv_fields.h"

namespace fensi::consumer {

/// What a CSV file holds: rows of one table.
struct CsvOptions {
  std::string table;
  std::string row_column;   // whose fields are the row keys
  std::string time_column;  // whose fields are timestamps in milliseconds; empty: all cells have the file's
  std::string family;       // of columns whose names have none; empty: all have to name theirs
};

class CsvHeader {
 public:
  /// kConfiguration: the header is missing, or says too little or something twice.
  static Result<CsvHeader> Read(const std::vector<CsvFields::Field>& names, const CsvOptions& options);

  /// A put of each field that is there, with this timestamp unless the record has one. kInvalidArgument names the
  /// column.
  Status MakeEvent(const std::vector<CsvFields::Field>& fields, int64_t timestamp, ChangeEvent* event) const;

 private:
  struct Column {
    size_t field = 0;
    std::string family, qualifier;
  };

  explicit CsvHeader(CsvOptions options) : options_(std::move(options)) {}
  Status AddColumn(size_t field, const std::string& name);
  Status AddName(size_t field, const std::string& name, std::unordered_set<std::string_view>* known);
  Result<int64_t> TimeOf(const std::string& text) const;

  CsvOptions options_;
  std::vector<std::string> names_;
  std::optional<size_t> row_, time_;
  std::vector<Column> columns_;
};

}  // namespace fensi::consumer
