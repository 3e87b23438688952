#include "operations/files/recorded_sample.h"

#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/clock.h"
#include "operations/files/recorded_events.h"
#include "operations/trial/source_mirror.h"

namespace fensi::operations {
namespace {

/// The first events of files: of no more rows than are wanted, and no more than fits.
class RecordedSample {
 public:
  RecordedSample(std::string table, size_t wanted) : table_(std::move(table)), wanted_(wanted) {}

  /// False: that is enough.
  Result<bool> Add(ChangeEvent event) {
    if (event.table != table_) {
      others_.insert(event.table);
      return true;
    }
    if (!rows_.contains(event.row) && rows_.size() == wanted_) return false;
    rows_.insert(event.row);
    for (const Cell& cell : event.cells) {
      families_.insert(cell.family);
      bytes_ += cell.qualifier.size() + cell.value.size();
    }
    events_.push_back(std::move(event));
    return bytes_ < kMostBytes;
  }

  /// The rows as these events left them.
  Result<mapping::TableSample> Rows() {
    if (events_.empty()) return NoEvents();
    FENSI_ASSIGN_OR_RETURN(std::unique_ptr<SourceMirror> mirror, SourceMirror::Start(table_, families_, SystemClock()));
    for (const ChangeEvent& event : events_) FENSI_RETURN_IF_ERROR(mirror->Apply(event));
    mapping::TableSample sample{.table = table_};
    for (const std::string& family : families_) sample.families.push_back({family, std::nullopt});
    for (const std::string& key : rows_) {
      FENSI_ASSIGN_OR_RETURN(store::Row row, mirror->Read(key));
      if (!row.cells.empty()) sample.rows.push_back({key, std::move(row.cells)});
    }
    return sample;
  }

 private:
  static constexpr size_t kMostBytes = 64 << 20;

  Status NoEvents() const {
    std::string tables;
    for (const std::string& table : others_) tables += (tables.empty() ? "" : ", ") + Escape(table);
    return Status(
        StatusCode::kNotFound,
        "the files of --source have no event of table " + Escape(table_) +
            (tables.empty() ? ". Check --source" : ". They have events of " + tables + ": name one of these tables"));
  }

  const std::string table_;
  const size_t wanted_;
  std::vector<ChangeEvent> events_;
  std::set<std::string> rows_, families_, others_;
  size_t bytes_ = 0;
};

}  // namespace

Result<mapping::TableSample> RecordedRows(const std::string& source, const CsvColumns& columns,
                                          const std::string& table, size_t wanted) {
  RecordedSample sample(table, wanted);
  FENSI_RETURN_IF_ERROR(
      ForEachRecordedEvent(source, columns, table, [&](ChangeEvent event) { return sample.Add(std::move(event)); }));
  return sample.Rows();
}

}  // namespace fensi::operations
