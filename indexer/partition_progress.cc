#include "indexer/partition_progress.h"

#include <optional>
#include <string_view>

#include "base/text.h"
#include "indexer/meta_row.h"
#include "indexer/remedies.h"
#include "indexer/requests/position.h"

namespace fensi::indexer {
namespace {

/// Behind the prefix of a column.
std::optional<int32_t> PartitionIn(std::string_view column, const std::string& prefix) {
  if (!column.starts_with(prefix)) return std::nullopt;
  column.remove_prefix(prefix.size());
  return ParseWhole<int32_t>(column);
}

}  // namespace

Result<PartitionProgress> ReadPartitionProgress(const mapping::Index& index, store::Store* store) {
  const MetaRow row(&index, store);
  FENSI_ASSIGN_OR_RETURN(const meta::VersionedMetaRow::Cells cells, row.ReadAll());
  PartitionProgress progress;
  for (const auto& [column, cell] : cells) {
    if (column == "incarnation") progress.incarnation = cell.value;
    if (const auto begun = PartitionIn(column, "birth/" + index.topic() + "/")) progress.begun.insert(*begun);
    if (const auto lost = PartitionIn(column, "lost/")) {
      progress.losses += (progress.losses.empty() ? "" : ", ") + std::to_string(*lost) + ": " + cell.value;
    }
    const std::optional<int32_t> partition = PartitionIn(column, "requests/");
    if (!partition) continue;
    FENSI_ASSIGN_OR_RETURN(const consumer::RequestPosition start, ParseRequestsPosition(index, cell));
    progress.done[*partition] = start.done;
  }
  return progress;
}

Status CheckIncarnation(const mapping::Index& index, const PartitionProgress& progress, const std::string& asked) {
  // M21: another incarnation never does these requests.
  if (progress.incarnation == asked) return {};
  return Status(StatusCode::kConfiguration,
                RecreatedText(index, asked, progress.incarnation, "state table " + index.state_table()) + ". " +
                    RequestsWithoutEffect(progress.incarnation));
}

Status RequireAllPartitionsInitialized(const mapping::Index& index, const PartitionProgress& progress,
                                       int32_t partitions) {
  const std::string remedy =
      ". Start 'fensi run' for the index, and leave it running. Without a daemon, the index would miss changes of "
      "rows that the scan has already read";
  if (progress.incarnation.empty()) {
    return Status(StatusCode::kConfiguration, "no 'fensi run' has begun index " + index.name() + " yet" + remedy);
  }
  for (int32_t partition = 0; partition < partitions; ++partition) {
    // M16: a change that the scan misses must reach the index from the stream.
    if (progress.begun.contains(partition)) continue;
    return Status(StatusCode::kConfiguration, "index " + index.name() + " has not begun partition " +
                                                  std::to_string(partition) + " of topic " + index.topic() + remedy);
  }
  return {};
}

}  // namespace fensi::indexer
