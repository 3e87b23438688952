#include "consumer/codec/event_decoder.h"

#include <string>

#include "consumer/codec/message.h"

namespace fensi::consumer {
namespace {

/// Reads Avro's binary encoding front to back; the first fault stays.
class AvroReader {
 public:
  explicit AvroReader(std::string_view bytes) : bytes_(bytes) {}

  /// Zigzag, seven bits a byte, lowest first.
  int64_t Long(const char* field) {
    uint64_t bits = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (at_ == bytes_.size()) return Fail(field, "ends too early");
      const auto byte = static_cast<unsigned char>(bytes_[at_++]);
      bits |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return static_cast<int64_t>(bits >> 1) ^ -static_cast<int64_t>(bits & 1);
    }
    return Fail(field, "is a number of more than 10 bytes");
  }

  void Bytes(const char* field, std::string* out) {
    const int64_t size = Long(field);
    if (!status_.ok()) return;
    if (size < 0 || static_cast<uint64_t>(size) > bytes_.size() - at_) {
      Fail(field, "ends too early");
      return;
    }
    out->assign(bytes_.substr(at_, static_cast<size_t>(size)));
    at_ += static_cast<size_t>(size);
  }

  bool Boolean(const char* field) {
    if (status_.ok() && at_ < bytes_.size() && static_cast<unsigned char>(bytes_[at_]) <= 1) return bytes_[at_++] == 1;
    return Fail(field, "is not a boolean") != 0;
  }

  Status Finish() {
    if (status_.ok() && at_ != bytes_.size()) Fail("table", "is followed by more bytes");
    return status_;
  }

 private:
  int64_t Fail(const char* field, const char* what) {
    if (status_.ok()) {
      status_ = Status(StatusCode::kInvalidArgument, "not an HBaseKafkaEvent: \"" + std::string(field) + "\" " + what +
                                                         " at byte " + std::to_string(at_) +
                                                         ". Check that --kafka_format is the format of this topic");
    }
    at_ = bytes_.size();
    return 0;
  }

  const std::string_view bytes_;
  size_t at_ = 0;
  Status status_;
};

}  // namespace

Status DecodeAvroEvent(std::string_view value, ChangeEvent* event) {
  AvroReader reader(value);
  event->cells.resize(1);
  Cell& cell = event->cells[0];
  cell = Cell();
  reader.Bytes("key", &event->row);
  cell.timestamp = reader.Long("timestamp");
  cell.type = reader.Boolean("delete") ? CellType::kUnknownDelete : CellType::kPut;
  reader.Bytes("value", &cell.value);
  reader.Bytes("qualifier", &cell.qualifier);
  reader.Bytes("family", &cell.family);
  reader.Bytes("table", &event->table);
  FENSI_RETURN_IF_ERROR(reader.Finish());
  if (cell.type != CellType::kPut) cell.value.clear();  // the proxy copies whatever the marker's array held
  event->sequence_id = 0;
  event->region.clear();
  event->write_time = 0;
  event->kind = EventKind::kMutation;
  event->families.clear();
  return TakeEvent(event);
}

std::optional<Format> FormatNamed(std::string_view name) {
  if (name == "event") return Format::kChangeEvent;
  if (name == "hbase_kafka_proxy") return Format::kHBaseKafkaProxy;
  return std::nullopt;
}

Status EventDecoder::Decode(std::string_view key, std::string_view value, ChangeEvent* event) {
  if (value.empty()) {
    *event = ChangeEvent();
    return InvalidArgument(
        "the message has no value: a tombstone, as programs write into compacted topics. A change stream has no "
        "tombstones. Let only programs that send change events write to this topic, such as 'fensi capture'");
  }
  Status status = format_ == Format::kHBaseKafkaProxy ? DecodeAvroEvent(value, event) : codec_.Decode(value, event);
  if (status.ok() && format_ == Format::kChangeEvent) {
    status = CheckKey(key, event->row, "event", "The writer must use the row key as message key");
  }
  if (!status.ok()) *event = ChangeEvent();
  return status;
}

}  // namespace fensi::consumer
