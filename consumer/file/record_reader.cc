#include "consumer/file/record_reader.h"

#include <utility>

#include "consumer/codec/json_encoder.h"

namespace fensi::consumer {

using Outcome = LineReader::Outcome;

Status RecordReader::Rewind() {
  FENSI_RETURN_IF_ERROR(lines_->Rewind());
  line_ = 0;
  return {};
}

Outcome RecordReader::NextLine(bool may_read, bool blank_too, LineReader::Line* line) {
  while (true) {
    const Outcome outcome = lines_->Next(may_read, line);
    if (outcome != Outcome::kLine) return outcome;
    ++line_;
    if (blank_too || line->text.find_first_not_of(" \t") != std::string_view::npos) return outcome;
  }
}

Status RecordReader::At(int64_t line, const Status& status) const {
  return status.WithContext(path_ + ":" + std::to_string(line));
}

Outcome JsonRecords::Next(bool may_read, Record* record, RecordMemory* memory) {
  LineReader::Line line;
  const Outcome outcome = NextLine(may_read, /*blank_too=*/false, &line);
  if (outcome != Outcome::kLine) return outcome;
  record->offset = this->line();
  record->value = line.text;
  record->decoded = decoder_.DecodePadded(line.text, &record->event);
  if (!record->decoded.ok()) {
    record->event = ChangeEvent();
    record->decoded = At(record->offset, record->decoded);
  }
  memory->lines = line.memory;
  return outcome;
}

Outcome CsvRecords::Fail(Status status) {
  status_ = std::move(status);
  return Outcome::kFailed;
}

Status CsvRecords::Rewind() {
  FENSI_RETURN_IF_ERROR(RecordReader::Rewind());
  between_ = true;
  header_.reset();
  return {};
}

/// Reads on until a record is whole; what there is of it stays when nothing more is to be had.
Outcome CsvRecords::NextFields(bool may_read) {
  // A quote too many makes one record of all that follows.
  constexpr size_t kMostRecordBytes = 16 << 20;
  LineReader::Line line;
  while (true) {
    const std::string_view before = returned_ ? "\r\n" : "\n";
    const Outcome outcome = NextLine(may_read, /*blank_too=*/!between_, &line);
    if (outcome == Outcome::kFailed) return Fail(lines()->status());
    if (outcome == Outcome::kEnd && !between_) {
      fault_ = InvalidArgument("the file ends within a quoted field: add the closing quote");
      return Outcome::kLine;
    }
    if (outcome != Outcome::kLine) return outcome;
    if (std::exchange(between_, false)) {
      fields_.Clear();
      text_.clear();
      begin_ = this->line();
      fault_ = Status();
    } else {
      text_ += before;
    }
    text_ += line.text;
    returned_ = line.returned;
    const Result<bool> whole = fields_.Add(line.text, before);
    fault_ = whole.status();
    if (!whole.ok() || *whole) return Outcome::kLine;
    if (text_.size() > kMostRecordBytes) {
      return Fail(At(begin_, Status(StatusCode::kConfiguration,
                                    "a quoted field begins in this record and has no end within 16 MiB. Correct the "
                                    "quotes of the record, and start again")));
    }
  }
}

Status CsvRecords::Decode(ChangeEvent* event) {
  FENSI_RETURN_IF_ERROR(fault_);
  return header_->MakeEvent(fields_.fields(), lines()->modified(), event);
}

Outcome CsvRecords::Next(bool may_read, Record* record, RecordMemory* memory) {
  while (true) {
    const Outcome outcome = NextFields(may_read);
    // One that is followed was rotated before anybody wrote its header.
    if (outcome == Outcome::kEnd && !header_ && !lines()->is_followed()) {
      return Fail(
          At(1, Status(StatusCode::kConfiguration, "the file is empty: begin it with the names of the columns")));
    }
    if (outcome != Outcome::kLine) return outcome;
    between_ = true;
    if (header_) break;
    Result<CsvHeader> header = fault_.ok() ? CsvHeader::Read(fields_.fields(), options_) : fault_;
    if (!header.ok()) return Fail(At(begin_, header.status().As(StatusCode::kConfiguration)));
    header_ = std::move(*header);
  }
  record->offset = begin_;
  record->decoded = Decode(&record->event);
  std::string& text = memory->texts.emplace_back();
  if (record->decoded.ok()) {
    AppendJsonEvent(record->event, &text);  // without the header the record would say nothing
  } else {
    record->event = ChangeEvent();
    record->decoded = At(begin_, record->decoded);
    text = text_;
  }
  record->value = text;
  return Outcome::kLine;
}

}  // namespace fensi::consumer
