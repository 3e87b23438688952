#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cmath>

#include "base/bytes.h"
#include "operations/forecast/estimate.h"

namespace fensi::operations {
namespace {

constexpr size_t kMostSampled = size_t{8} << 20;
constexpr int kZstdLevel = 3;        // HBase's default
constexpr double kMostGained = 0.5;  // of the ratio of the sample
// What tables of four examples gained for each doubling of the density, and the most of it.
constexpr double kDenser = 0.012, kMostDenser = 0.15;
constexpr double kModelError = 0.05;  // headers, levels and versions of the libraries
constexpr double kBitsOfByte = 8;

size_t Deflated(const std::string& block) {
  uLongf bytes = compressBound(block.size());
  std::string out(bytes, '\0');
  const int result = compress2(reinterpret_cast<Bytef*>(out.data()), &bytes,
                               reinterpret_cast<const Bytef*>(block.data()), block.size(), Z_DEFAULT_COMPRESSION);
  return result == Z_OK ? bytes : block.size();
}

size_t ByZstd(const std::string& block) {
  std::string out(ZSTD_compressBound(block.size()), '\0');
  const size_t bytes = ZSTD_compress(out.data(), out.size(), block.data(), block.size(), kZstdLevel);
  return ZSTD_isError(bytes) != 0 ? block.size() : bytes;
}

/// HBase fills a chunk of a Bloom filter with so many keys, and then begins another one. It halves the last chunk while
/// half of it is enough.
double BloomBytes(double keys_of_file, double bits_of_key) {
  constexpr double kChunk = size_t{128} << 10;  // io.storefile.bloom.block.size
  const double most = kChunk * kBitsOfByte / bits_of_key;
  const double full = std::floor(keys_of_file / most), rest = keys_of_file - full * most;
  double last = rest > 0 ? kChunk : 0;
  for (double room = most; last > 1 && room > 2 * rest; room /= 2) last /= 2;
  return full * kChunk + last;
}

Estimate BloomOf(const FamilyFiles& family) {
  constexpr double kBitsOfRow = 9.585, kBitsOfCell = 11.02;  // for 1 % and 0.5 % of wrong answers
  const bool by_cell = family.bloom_filter == "ROWCOL";
  if (!by_cell && family.bloom_filter != "ROW") return {};
  const double keys = by_cell ? family.cells : family.rows, bits = by_cell ? kBitsOfCell : kBitsOfRow;
  const double least = keys * bits / kBitsOfByte;
  return {family.files * BloomBytes(keys / family.files, bits), least, 2 * least};
}

}  // namespace

/// The ratio of every n-th cell, in blocks.
double CompressedSize::RatioOf(const std::vector<std::string>& sorted, size_t each) const {
  size_t before = 0, after = 0;
  std::string block;
  const auto close = [&] {
    before += block.size();
    after += std::min(block.size(), compression_ == "GZ" ? Deflated(block) : ByZstd(block));
    block.clear();
  };
  for (size_t i = 0; i < sorted.size(); i += each) {
    block += sorted[i];
    if (block.size() >= block_size_) close();
  }
  // The last block is smaller than those of a table, unless it is the only one.
  if (!block.empty() && (before == 0 || block.size() > block_size_ / 2)) close();
  return before == 0 ? 1 : static_cast<double>(after) / static_cast<double>(before);
}

size_t StoredBytes(std::string_view row, std::string_view family, std::string_view qualifier, size_t value_bytes,
                   bool expires) {
  constexpr size_t kLengths = 8, kRowLength = 2, kFamilyLength = 1, kTimeAndType = 9, kWriteNumber = 1;
  constexpr size_t kTtlTag = 13;  // two lengths, a type, and eight bytes
  return kLengths + kRowLength + row.size() + kFamilyLength + family.size() + qualifier.size() + kTimeAndType +
         value_bytes + kWriteNumber + (expires ? kTtlTag : 0);
}

void CompressedSize::Add(std::string_view row, std::string_view family, std::string_view qualifier,
                         std::string_view value, int64_t timestamp) {
  if (bytes_ > kMostSampled || compression_ == "NONE") return;
  // In the order of HBase's fields. The length of the row comes first in none of them, so that the texts sort by row.
  std::string cell(row);
  cell += family;
  cell += qualifier;
  AppendBigEndian64(timestamp, &cell);
  cell += '\4';
  cell += value;
  std::string lengths(8, '\0');
  lengths[3] = static_cast<char>(cell.size() - value.size());
  lengths[7] = static_cast<char>(value.size());
  cell += lengths;
  cell += static_cast<char>(row.size());
  bytes_ += cell.size();
  cells_.push_back(std::move(cell));
}

Estimate CompressedSize::Ratio(double table_bytes) const {
  if (compression_ == "NONE" || cells_.empty()) return {1, 1, 1};
  std::vector<std::string> sorted = cells_;
  std::sort(sorted.begin(), sorted.end());
  const bool gzip = compression_ == "GZ";
  const double all = RatioOf(sorted, 1), quarter = RatioOf(sorted, 4);
  // Each doubling of the density gave so much.
  const double gain = std::max(0.0, (quarter - all) / 2);
  const double doublings = std::max(0.0, std::log2(table_bytes / static_cast<double>(bytes_)));
  const double dense = std::max(all * kMostGained, all - gain * doublings);
  const double value = std::max(dense, all * (1 - std::min(kMostDenser, kDenser * doublings)));
  const bool known = gzip || compression_ == "ZSTD";
  const double high = known ? std::min(1.0, all * (1 + kModelError)) : 1.0;
  return {known ? value : (dense + high) / 2, dense * (1 - kModelError), high};
}

Estimate FileOverhead(const FamilyFiles& family) {
  if (family.cells <= 0) return {};
  // A cell has the number of its write for five days, in one to nine bytes. StoredBytes has counted one.
  constexpr double kNumber = 1, kMostOfNumber = 3;
  constexpr double kHeader = 33, kIndexEntry = 50, kChecksum = 4, kChecked = 16384;
  constexpr double kEnd = 4900;  // a trailer of 4 KiB, and facts of the file
  const double of_block = kHeader + kIndexEntry + kChecksum * std::ceil(family.block_size / kChecked);
  const double blocks = std::max(family.files, family.bytes / family.block_size);
  const double fixed = blocks * of_block + family.files * kEnd;
  const Estimate numbers{family.cells * kNumber, 0, family.cells * kMostOfNumber};
  return numbers.Plus(BloomOf(family)).Plus({fixed, fixed, fixed});
}

}  // namespace fensi::operations
