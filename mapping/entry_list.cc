#include "mapping/entry_list.h"

namespace fensi::mapping {

void EntryList::Add(const Entry& entry) {
  Slot slot{static_cast<uint32_t>(bytes_.size()),
            static_cast<uint32_t>(entry.table.size()),
            static_cast<uint32_t>(entry.row.size()),
            static_cast<uint32_t>(entry.family.size()),
            static_cast<uint32_t>(entry.qualifier.size()),
            static_cast<uint32_t>(entry.value.size()),
            entry.expires_at,
            entry.period};
  bytes_.append(entry.table).append(entry.row).append(entry.family).append(entry.qualifier).append(entry.value);
  slots_.push_back(slot);
}

Entry EntryList::operator[](size_t i) const {
  const Slot& slot = slots_[i];
  std::string_view rest = std::string_view(bytes_).substr(slot.offset);
  const auto take = [&rest](uint32_t length) {
    const std::string_view part = rest.substr(0, length);
    rest.remove_prefix(length);
    return part;
  };
  Entry entry;
  entry.table = take(slot.table);
  entry.row = take(slot.row);
  entry.family = take(slot.family);
  entry.qualifier = take(slot.qualifier);
  entry.value = take(slot.value);
  entry.expires_at = slot.expires_at;
  entry.period = slot.period;
  return entry;
}

}  // namespace fensi::mapping
