#include "hbase/wire/cell_block.h"

#include <string>

#include "base/bytes.h"

namespace fensi::hbase {
namespace {

constexpr size_t kLengthBytes = 4;
constexpr size_t kLengthsBytes = 8;      // of key and value
constexpr size_t kKeyTailBytes = 8 + 1;  // timestamp and type
constexpr size_t kKeyFixedBytes = 2 + 1 + kKeyTailBytes;
constexpr size_t kTagsLengthBytes = 2;

size_t ReadInt(std::string_view bytes, size_t at, size_t width) { return ReadBigEndian(bytes.substr(at, width)); }

bool TagsAreWhole(std::string_view tags) {
  while (!tags.empty()) {
    if (tags.size() < kTagsLengthBytes + 1) return false;
    const size_t length = ReadInt(tags, 0, kTagsLengthBytes);
    if (length == 0 || length > tags.size() - kTagsLengthBytes) return false;
    tags.remove_prefix(kTagsLengthBytes + length);
  }
  return true;
}

/// Null: good; else what is wrong.
const char* ParseKey(std::string_view key, CellView* cell) {
  if (key.size() < kKeyFixedBytes) return "its key is too short";
  const size_t row = ReadInt(key, 0, 2);
  if (row > key.size() - kKeyFixedBytes) return "its row is longer than its key";
  const size_t family = ReadInt(key, 2 + row, 1);
  if (family > key.size() - kKeyFixedBytes - row) return "its family is longer than its key";
  const size_t qualifier = 2 + row + 1 + family;
  cell->row = key.substr(2, row);
  cell->family = key.substr(2 + row + 1, family);
  cell->qualifier = key.substr(qualifier, key.size() - kKeyTailBytes - qualifier);
  cell->timestamp = ReadBigEndian64(key.substr(key.size() - kKeyTailBytes, 8));
  cell->type = static_cast<uint8_t>(key.back());
  return nullptr;
}

/// `body` is what L counts.
const char* ParseCell(std::string_view body, CellView* cell) {
  if (body.size() < kLengthsBytes) return "it is too short";
  const size_t key = ReadInt(body, 0, kLengthBytes);
  const size_t value = ReadInt(body, kLengthBytes, kLengthBytes);
  const size_t room = body.size() - kLengthsBytes;
  if (key > room || value > room - key) return "key and value are longer than the cell";
  cell->value = body.substr(kLengthsBytes + key, value);
  cell->tags = body.substr(kLengthsBytes + key + value);
  if (!cell->tags.empty()) {
    if (cell->tags.size() < kTagsLengthBytes) return "its tags are too short";
    const size_t tags = ReadInt(cell->tags, 0, kTagsLengthBytes);
    cell->tags.remove_prefix(kTagsLengthBytes);
    if (tags != cell->tags.size() || !TagsAreWhole(cell->tags)) return "its tags are not whole";
  }
  return ParseKey(body.substr(kLengthsBytes, key), cell);
}

}  // namespace

Status CellBlockReader::Next(CellView* cell) {
  const std::string_view rest = bytes_.substr(at_);
  const char* fault = "the block ends within it";
  if (rest.size() >= kLengthBytes) {
    const size_t length = ReadInt(rest, 0, kLengthBytes);
    if (length <= rest.size() - kLengthBytes) fault = ParseCell(rest.substr(kLengthBytes, length), cell);
    if (fault == nullptr) {
      at_ += kLengthBytes + length;
      return Status();
    }
  }
  return Status(StatusCode::kInvalidArgument,
                "the cell block is damaged at byte " + std::to_string(at_) + " (" + fault +
                    "). If the error comes again, report it to the developers of fensi, with the version "
                    "of HBase");
}

std::vector<Tag> ParseTags(std::string_view tags) {
  std::vector<Tag> parsed;
  while (!tags.empty()) {
    const size_t length = ReadInt(tags, 0, kTagsLengthBytes);
    parsed.push_back(
        {static_cast<uint8_t>(tags[kTagsLengthBytes]), std::string(tags.substr(kTagsLengthBytes + 1, length - 1))});
    tags.remove_prefix(kTagsLengthBytes + length);
  }
  return parsed;
}

}  // namespace fensi::hbase
