#include "consumer/file/csv_fields.h"

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
        return InvalidArgument(PlaceText() + " has something behind its closing quote; a quote within quotes is \"\"");
      }
    } else {
      fields_.back().text = line.substr(0, line.find(','));
      if (fields_.back().text.find('"') != std::string::npos) {
        return InvalidArgument(PlaceText() + " has a quote and does not begin with one; write \"…\"\"…\"");
      }
      line.remove_prefix(fields_.back().text.size());
    }
    if (line.empty()) return true;
    line.remove_prefix(1);
    goes_on = false;
  }
}

}  // namespace fensi::consumer
