// Reads the records of one file in order: of JSON lines, or of CSV with a header.
//
// Not thread-safe, except that Wake, size and modified of `lines` may be called from any thread. Blocks as LineReader
// does.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "consumer/change_source.h"
#include "consumer/codec/json_decoder.h"
#include "consumer/file/csv.h"
#include "consumer/file/line_reader.h"

namespace fensi::consumer {

/// Memory for the views of a batch's records: a record itself moves when the batch grows, and its event with it.
struct RecordMemory {
  std::shared_ptr<void> lines;    // one block
  std::deque<std::string> texts;  // never move
  std::string keys;               // one after the other
};

class RecordReader {
 public:
  RecordReader(std::string path, std::unique_ptr<LineReader> lines)
      : path_(std::move(path)), lines_(std::move(lines)) {}
  virtual ~RecordReader() = default;
  RecordReader(const RecordReader&) = delete;
  RecordReader& operator=(const RecordReader&) = delete;

  /// Reads the next record, without its key, as LineReader::Next; an invalid record has the reason with path and line.
  /// Adds the memory of its views to `memory`.
  virtual LineReader::Outcome Next(bool may_read, Record* record, RecordMemory* memory) = 0;
  /// The reason if the last Next failed.
  virtual const Status& status() const { return lines_->status(); }
  /// Back to the first record; kInvalidArgument for a pipe.
  virtual Status Rewind();

  LineReader* lines() const { return lines_.get(); }
  int64_t line() const { return line_; }  // read last, from 1

 protected:
  /// Reads the next line that is not blank.
  LineReader::Outcome NextLine(bool may_read, bool blank_too, LineReader::Line* line);
  Status At(int64_t line, const Status& status) const;

 private:
  const std::string path_;
  const std::unique_ptr<LineReader> lines_;
  int64_t line_ = 0;
};

class JsonRecords final : public RecordReader {
 public:
  using RecordReader::RecordReader;
  LineReader::Outcome Next(bool may_read, Record* record, RecordMemory* memory) override;

 private:
  JsonDecoder decoder_;
};

class CsvRecords final : public RecordReader {
 public:
  CsvRecords(std::string path, std::unique_ptr<LineReader> lines, CsvOptions options)
      : RecordReader(std::move(path), std::move(lines)), options_(std::move(options)) {}
  LineReader::Outcome Next(bool may_read, Record* record, RecordMemory* memory) override;
  const Status& status() const override { return status_; }
  Status Rewind() override;

 private:
  LineReader::Outcome NextFields(bool may_read);
  LineReader::Outcome Fail(Status status);
  Status Decode(ChangeEvent* event);

  const CsvOptions options_;
  CsvFields fields_;
  bool returned_ = false;  // the last line ended with CR LF
  std::string text_;       // text of the record in the file
  int64_t begin_ = 0;      // its first line
  bool between_ = true;    // the next line begins a record
  Status fault_;           // why the record is invalid
  std::optional<CsvHeader> header_;
  Status status_;
};

}  // namespace fensi::consumer
