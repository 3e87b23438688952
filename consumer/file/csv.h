// Parses one record of CSV, line by line: fields separated by commas. A field in double quotes may have commas, line
// breaks and doubled quotes (RFC 4180).
//
// Pure; one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/cell.h"
#include "base/status.h"

namespace fensi::consumer {

class CsvFields {
 public:
  struct Field {
    std::string text;
    bool quoted = false;
    bool absent() const { return text.empty() && !quoted; }
  };

  /// Adds the next line of the record, without its line break; `before` is the line break before it. True: the record
  /// is complete. kInvalidArgument: it is invalid, and the next line begins another record.
  Result<bool> Add(std::string_view line, std::string_view before);
  const std::vector<Field>& fields() const { return fields_; }
  /// True inside a quoted field.
  bool open() const { return open_; }
  void Clear();

 private:
  /// Takes the field's text after its opening quote; returns the rest after the closing quote. Without a closing quote
  /// the field continues in the next line.
  std::string_view TakeQuoted(std::string_view rest);
  std::string PlaceText() const { return "field " + std::to_string(fields_.size()); }

  std::vector<Field> fields_;
  bool open_ = false;
};

// Reads the header of a CSV file, and turns the records after it into change events.
//
// Pure; immutable.

/// How to read a CSV file: its rows are of one table.
struct CsvOptions {
  std::string table;
  std::string row_column;   // column of the row keys
  std::string time_column;  // column of timestamps in milliseconds; empty: all cells have the file's time
  std::string family;       // family of columns whose names have none; empty: every name must have one
};

class CsvHeader {
 public:
  /// kConfiguration: the header is missing, incomplete, or names something twice.
  static Result<CsvHeader> Read(const std::vector<CsvFields::Field>& names, const CsvOptions& options);

  /// Makes a put of each field, with this timestamp unless the record has one. kInvalidArgument names the column.
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
