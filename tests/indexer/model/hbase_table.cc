#include "tests/indexer/model/hbase_table.h"

#include <algorithm>

#include "base/bytes.h"

namespace fensi::testing {
namespace {

bool ExpiredByItself(const HbaseTable::Stored& cell, int64_t now) {
  return cell.ttl_millis && *cell.ttl_millis <= INT64_MAX - cell.timestamp && cell.timestamp + *cell.ttl_millis < now;
}

bool ExpiredByFamily(const FamilyTraits& family, int64_t timestamp, int64_t now) {
  return family.ttl_millis && timestamp < now - *family.ttl_millis;
}

}  // namespace

/// What delete markers hide of the column that is read.
struct HbaseTable::Deleted {
  int64_t family_up_to = -1, column_up_to = -1;
  std::vector<int64_t> family_versions, versions;

  void Add(const Stored& marker) {
    switch (marker.type) {
      case CellType::kDeleteFamily:
        family_up_to = std::max(family_up_to, marker.timestamp);
        break;
      case CellType::kDeleteFamilyVersion:
        family_versions.push_back(marker.timestamp);
        break;
      case CellType::kDeleteColumn:
        column_up_to = std::max(column_up_to, marker.timestamp);
        break;
      default:
        versions.push_back(marker.timestamp);
    }
  }
  void NextColumn() {
    column_up_to = -1;
    versions.clear();
  }
  bool Hides(int64_t time) const {
    const auto is_in = [time](const std::vector<int64_t>& times) {
      return std::find(times.begin(), times.end(), time) != times.end();
    };
    return time <= family_up_to || time <= column_up_to || is_in(versions) || is_in(family_versions);
  }
};

void HbaseTable::Write(const std::string& row, const Cell& cell) {
  Column& column = rows_[row][cell.family][cell.qualifier];
  Stored stored{cell.timestamp, cell.type, cell.value, std::nullopt};
  if (const std::string* ttl = TtlOf(cell)) stored.ttl_millis = ReadBigEndian64(*ttl);
  const auto place = std::find_if(column.begin(), column.end(), [&](const Stored& other) {
    return other.timestamp < stored.timestamp || (other.timestamp == stored.timestamp && other.type <= stored.type);
  });
  if (place != column.end() && place->timestamp == stored.timestamp && place->type == stored.type) {
    *place = std::move(stored);
  } else {
    column.insert(place, std::move(stored));
  }
}

void HbaseTable::Read(const Row& row, const std::string& family, const std::string* qualifier, const Reading& reading,
                      std::vector<Cell>* cells) const {
  const auto found = row.find(family);
  if (found == row.end()) return;
  const FamilyTraits& traits = families_.at(family);
  const int32_t most = reading.raw ? reading.max_versions : std::min(reading.max_versions, traits.max_versions);
  Deleted deleted;
  for (const auto& [name, column] : found->second) {
    const bool wanted = qualifier == nullptr || name == *qualifier;
    if (!wanted && !name.empty()) continue;
    deleted.NextColumn();
    int32_t versions = 0;
    for (const Stored& cell : column) {
      const bool old = ExpiredByFamily(traits, cell.timestamp, reading.now);
      if (old && traits.min_versions == 0) break;
      if (ExpiredByItself(cell, reading.now)) continue;
      const bool in_time = cell.timestamp >= reading.from && cell.timestamp < reading.to;
      if (cell.type != CellType::kPut) {
        deleted.Add(cell);
        const bool told = reading.raw && in_time && (wanted || IsFamilyMarker(cell.type));
        if (told && (!old || versions <= traits.min_versions)) {
          cells->push_back({family, name, cell.timestamp, cell.type, "", {}});
        }
        continue;
      }
      if (!in_time || !wanted || (!reading.raw && deleted.Hides(cell.timestamp))) continue;
      if (++versions > most || (old && versions > traits.min_versions)) continue;
      cells->push_back({family, name, cell.timestamp, cell.type, cell.value, {}});
    }
  }
}

std::vector<HbaseTable::Shown> HbaseTable::ShownOf(const std::string& name, int64_t now) const {
  std::vector<Shown> all;
  const auto row = rows_.find(name);
  if (row == rows_.end()) return all;
  const auto columns = row->second.find("f");
  if (columns == row->second.end()) return all;
  const FamilyTraits& traits = families_.at("f");
  Deleted deleted;
  for (const auto& [qualifier, column] : columns->second) {
    deleted.NextColumn();
    Shown shown{qualifier};
    int32_t versions = 0;
    for (const Stored& cell : column) {
      const bool old = ExpiredByFamily(traits, cell.timestamp, now);
      if (old && traits.min_versions == 0) break;
      if (cell.type != CellType::kPut) {
        deleted.Add(cell);
        continue;
      }
      if (deleted.Hides(cell.timestamp) || (old && versions >= traits.min_versions)) continue;
      if (shown.newest == nullptr) shown.newest = &cell;
      if (ExpiredByItself(cell, now)) continue;
      ++versions;
      shown.visible = &cell;
      break;
    }
    if (shown.newest != nullptr) all.push_back(shown);
  }
  return all;
}

std::vector<int64_t> HbaseTable::EndsOf(const std::string& name) const {
  std::vector<int64_t> ends;
  const auto row = rows_.find(name);
  if (row == rows_.end()) return ends;
  for (const auto& [family, columns] : row->second) {
    const FamilyTraits& traits = families_.at(family);
    for (const auto& [qualifier, column] : columns) {
      for (const Stored& cell : column) {
        if (cell.type != CellType::kPut) continue;
        if (traits.ttl_millis) ends.push_back(cell.timestamp + *traits.ttl_millis);
        if (cell.ttl_millis) ends.push_back(cell.timestamp + *cell.ttl_millis);
      }
    }
  }
  return ends;
}

void HbaseTable::MajorCompact(int64_t now, bool purge_all) {
  for (auto& [name, row] : rows_) {
    for (auto& [family, columns] : row) {
      const FamilyTraits& traits = families_.at(family);
      int64_t oldest_put = INT64_MAX;
      for (const auto& [qualifier, column] : columns) {
        for (const Stored& cell : column) {
          if (cell.type == CellType::kPut) oldest_put = std::min(oldest_put, cell.timestamp);
        }
      }
      Deleted deleted;
      for (auto& [qualifier, column] : columns) {
        deleted.NextColumn();
        int32_t versions = 0;
        bool rest_goes = false;
        std::erase_if(column, [&, has_family_markers = qualifier.empty()](const Stored& cell) {
          const bool old = ExpiredByFamily(traits, cell.timestamp, now);
          if (rest_goes) return true;
          if (old && traits.min_versions == 0) return true;
          if (ExpiredByItself(cell, now)) return !keeps_ended_ || deleted.Hides(cell.timestamp);
          const bool kept =
              traits.keep_deleted == KeepDeleted::kTrue || (traits.keep_deleted == KeepDeleted::kTtl && !old);
          if (cell.type != CellType::kPut) {
            if (!kept) deleted.Add(cell);
            const bool young =
                traits.purge_delay_millis > 0 && !purge_all && now - cell.timestamp <= traits.purge_delay_millis;
            if (young) return false;
            return !kept || cell.timestamp < oldest_put || (old && versions > traits.min_versions);
          }
          if (deleted.Hides(cell.timestamp)) return true;
          ++versions;
          rest_goes = versions > traits.max_versions || (old && versions > traits.min_versions);
          // Markers of the family stand among the cells of the empty qualifier: that column is read on.
          if (has_family_markers && rest_goes) return !(rest_goes = false);
          return rest_goes;
        });
      }
      std::erase_if(columns, [](const auto& column) { return column.second.empty(); });
    }
  }
}

}  // namespace fensi::testing
