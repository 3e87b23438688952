#include "mapping/entry_list.h"

namespace fensi::mapping {

EntryPlace::EntryPlace(const Entry& entry, size_t begin)
    : offset(begin),
      table(static_cast<uint32_t>(entry.table.size())),
      row(static_cast<uint32_t>(entry.row.size())),
      family(static_cast<uint32_t>(entry.family.size())),
      qualifier(static_cast<uint32_t>(entry.qualifier.size())),
      value(static_cast<uint32_t>(entry.value.size())),
      expires_at(entry.expires_at),
      period(entry.period),
      newest(entry.newest) {}

Entry EntryPlace::In(std::string_view bytes) const {
  std::string_view rest = bytes.substr(offset);
  const auto take = [&rest](uint32_t length) {
    const std::string_view part = rest.substr(0, length);
    rest.remove_prefix(length);
    return part;
  };
  Entry entry;
  entry.table = take(table);
  entry.row = take(row);
  entry.family = take(family);
  entry.qualifier = take(qualifier);
  entry.value = take(value);
  entry.expires_at = expires_at;
  entry.period = period;
  entry.newest = newest;
  return entry;
}

void EntryList::Add(const Entry& entry) {
  places_.emplace_back(entry, bytes_.size());
  bytes_.append(entry.table).append(entry.row).append(entry.family).append(entry.qualifier).append(entry.value);
}

}  // namespace fensi::mapping
