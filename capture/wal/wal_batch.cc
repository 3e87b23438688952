#include "capture/wal/wal_batch.h"

#include <limits>
#include <string>

#include "proto/hbase_replication.pb.h"

namespace fensi::capture {
namespace {

using proto::hbase::ReplicateWALEntryRequest;

// L, the lengths of key and value, and a key without row, family and qualifier.
constexpr size_t kSmallestCell = 4 + 8 + 12;

Status Bad(std::string message) { return Status(StatusCode::kInvalidArgument, std::move(message)); }

Status CheckEntry(const proto::hbase::WALEntry& entry) {
  if (!entry.has_key() || entry.key().table_name().empty()) return Bad("has no key");
  if (entry.key_value_bytes_size() != 0) return Bad("carries its cells outside the cell block");
  if (entry.associated_cell_count() < 0) return Bad("has a negative count of cells");
  return Status();
}

/// Before anything is allocated for the counts.
Status CheckRequest(const ReplicateWALEntryRequest& request, size_t cell_bytes) {
  size_t cells = 0;
  for (int i = 0; i < request.entry_size(); ++i) {
    FENSI_RETURN_IF_ERROR(CheckEntry(request.entry(i)).WithContext("WAL entry " + std::to_string(i)));
    cells += static_cast<size_t>(request.entry(i).associated_cell_count());
  }
  if (cells <= cell_bytes / kSmallestCell) return Status();
  return Bad("the entries name " + std::to_string(cells) + " cells, the cell block has only " +
             std::to_string(cell_bytes) + " bytes");
}

}  // namespace

Result<WalBatch> WalBatch::Open(std::string_view request, std::string_view cells) {
  auto message = std::make_unique<ReplicateWALEntryRequest>();
  if (request.size() > static_cast<size_t>(std::numeric_limits<int>::max()) ||
      !message->ParseFromArray(request.data(), static_cast<int>(request.size()))) {
    return Bad("the request's " + std::to_string(request.size()) + " bytes are no ReplicateWALEntryRequest");
  }
  FENSI_RETURN_IF_ERROR(CheckRequest(*message, cells.size()));
  return WalBatch(std::move(message), cells);
}

WalBatch::WalBatch(std::unique_ptr<ReplicateWALEntryRequest> request, std::string_view cells)
    : request_(std::move(request)), reader_(cells) {}
WalBatch::~WalBatch() = default;
WalBatch::WalBatch(WalBatch&&) noexcept = default;

int WalBatch::entries() const { return request_->entry_size(); }

Status WalBatch::Next(WalEntry* entry) {
  const proto::hbase::WALEntry& from = request_->entry(next_++);
  entry->region = from.key().encoded_region_name();
  entry->table = from.key().table_name();
  entry->sequence_id = from.key().log_sequence_number();
  entry->write_time = static_cast<int64_t>(from.key().write_time());
  entry->cells.resize(static_cast<size_t>(from.associated_cell_count()));
  for (WalCell& cell : entry->cells) {
    FENSI_RETURN_IF_ERROR(reader_.Next(&cell).WithContext("WAL entry " + std::to_string(next_ - 1)));
  }
  if (!AtEnd() || reader_.AtEnd()) return Status();
  return Bad("the cell block goes on behind the last cell of the last entry, at byte " +
             std::to_string(reader_.position()));
}

}  // namespace fensi::capture
