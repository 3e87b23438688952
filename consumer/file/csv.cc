#include "consumer/file/csv.h"

#include <algorithm>
#include <string_view>

#include "base/bytes.h"
#include "base/hbase_limits.h"
#include "base/text.h"
#include "consumer/codec/message.h"

namespace fensi::consumer {

void CsvFields::Clear() {
  fields_.clear();
  open_ = false;
}

std::string_view CsvFields::TakeQuoted(std::string_view rest) {
  std::string& text = fields_.back().text;
  while (true) {
    const size_t quote = rest.find('"');
    text += rest.substr(0, quote);
    open_ = quote == std::string_view::npos;
    if (open_) return {};
    rest.remove_prefix(quote + 1);
    if (!rest.starts_with('"')) return rest;
    text += '"';
    rest.remove_prefix(1);
  }
}

Result<bool> CsvFields::Add(std::string_view line, std::string_view before) {
  bool goes_on = open_;
  if (goes_on) fields_.back().text += before;
  while (true) {
    if (!goes_on) fields_.emplace_back();
    fields_.back().quoted = goes_on || line.starts_with('"');
    if (fields_.back().quoted) {
      line = TakeQuoted(line.substr(goes_on ? 0 : 1));
      if (open_) return false;
      if (!line.empty() && line.front() != ',') {
        return InvalidArgument(PlaceText() + " has text after its closing quote: write a quote within quotes as \"\"");
      }
    } else {
      fields_.back().text = line.substr(0, line.find(','));
      if (fields_.back().text.find('"') != std::string::npos) {
        return InvalidArgument(PlaceText() +
                               " has a quote but does not begin with one. Write the field as \"a \"\"b\"\" c\"");
      }
      line.remove_prefix(fields_.back().text.size());
    }
    if (line.empty()) return true;
    line.remove_prefix(1);
    goes_on = false;
  }
}

namespace {

constexpr size_t kMostShown = 40;

std::string Quoted(std::string_view name) { return "'" + EscapeSome(name, kMostShown) + "'"; }

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

bool IsControl(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7F'; }

Status Wrong(const std::string& what) { return Status(StatusCode::kConfiguration, what); }

/// "; did you mean 'id'?", or what there is.
std::string Instead(const std::string& wanted, const std::vector<std::string>& names) {
  constexpr size_t kMostNames = 8;
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::vector<std::string> hints = Suggest(wanted, known);
  if (!hints.empty()) return "; " + hints.front();
  std::string text = "; it has ";
  for (size_t i = 0; i < std::min(names.size(), kMostNames); ++i) text += (i == 0 ? "" : ", ") + Quoted(names[i]);
  return text + (names.size() > kMostNames ? ", …" : "") + ". The first line has the names of the columns";
}

}  // namespace

Result<CsvHeader> CsvHeader::Read(const std::vector<CsvFields::Field>& names, const CsvOptions& options) {
  CsvHeader header(options);
  std::unordered_set<std::string_view> known;  // a search among all names for each would cost their square
  for (size_t i = 0; i < names.size(); ++i) FENSI_RETURN_IF_ERROR(header.AddName(i, names[i].text, &known));
  for (const std::string& wanted : {options.row_column, options.time_column}) {
    if (!wanted.empty() && !known.contains(wanted))
      return Wrong("the header has no column " + Quoted(wanted) + Instead(wanted, header.names_));
  }
  for (size_t i = 0; i < names.size(); ++i) FENSI_RETURN_IF_ERROR(header.AddColumn(i, names[i].text));
  if (header.columns_.empty())
    return Wrong(
        "the header names only the column of the row keys, so rows would have no cells; add a column FAMILY:QUALIFIER");
  return header;
}

Status CsvHeader::AddName(size_t field, const std::string& name, std::unordered_set<std::string_view>* known) {
  if (name.empty()) return Wrong("the header has no name for column " + std::to_string(field + 1) + ": write one");
  if (IsBlank(name.front()) || IsBlank(name.back())) {
    return Wrong("the header's column " + Quoted(name) + " begins or ends with a blank: remove the blank");
  }
  if (std::any_of(name.begin(), name.end(), IsControl)) {
    return Wrong("the header's column " + Quoted(name) +
                 " has a control character in its name: remove the character. If it is \\r, end the lines with \\n or "
                 "\\r\\n");
  }
  if (!known->insert(name).second)
    return Wrong("the header has the column " + Quoted(name) + " twice: rename or remove one");
  names_.push_back(name);
  return {};
}

Status CsvHeader::AddColumn(size_t field, const std::string& name) {
  if (name == options_.row_column) {
    row_ = field;
    return {};
  }
  if (name == options_.time_column) {
    time_ = field;
    return {};
  }
  const ColumnName column = SplitColumn(name);
  if (column.has_qualifier && !column.family.empty()) {
    columns_.push_back({field, std::string(column.family), std::string(column.qualifier)});
  } else if (options_.family.empty() || column.has_qualifier) {
    return Wrong(
        "the column " + Quoted(name) +
        " of the header is not FAMILY:QUALIFIER: rename the column, or set --csv_family for names without a colon");
  } else {
    columns_.push_back({field, options_.family, name});
  }
  return {};
}

Result<int64_t> CsvHeader::TimeOf(const std::string& text) const {
  const auto time = ParseWhole<int64_t>(text);
  if (time && *time >= 0 && *time <= kMaxSourceTime) return *time;
  return InvalidArgument("column " + Quoted(options_.time_column) + ": " + Quoted(text) +
                         " is no timestamp: write milliseconds since 1970 from 0 to " + std::to_string(kMaxSourceTime));
}

Status CsvHeader::MakeEvent(const std::vector<CsvFields::Field>& fields, int64_t timestamp, ChangeEvent* event) const {
  if (fields.size() != names_.size()) {
    return InvalidArgument("the record has " + std::to_string(fields.size()) +
                           (fields.size() == 1 ? " field" : " fields") + ", and the header has " +
                           std::to_string(names_.size()) + ": correct the record");
  }
  if (fields[*row_].text.empty())
    return InvalidArgument("column " + Quoted(options_.row_column) +
                           ": the row key is empty. Write the key, or remove the record");
  if (time_) {
    FENSI_ASSIGN_OR_RETURN(timestamp, TimeOf(fields[*time_].text));
  }
  *event = ChangeEvent{.table = options_.table, .row = fields[*row_].text};
  for (const Column& column : columns_) {
    const CsvFields::Field& field = fields[column.field];
    if (field.absent()) continue;
    event->cells.push_back(
        {.family = column.family, .qualifier = column.qualifier, .timestamp = timestamp, .value = field.text});
  }
  if (event->cells.empty())
    return InvalidArgument(
        "all fields except the row key are empty, and a row needs at least one cell. Fill in a field, or remove the "
        "record");
  return TakeEvent(event);
}

}  // namespace fensi::consumer
