#include "operations/dead_letters/ledger_writer.h"

#include <algorithm>
#include <deque>
#include <map>

#include "base/clock.h"

namespace fensi::operations {

using consumer::DeadLetterRange;
using consumer::PartitionedMessage;
using consumer::Placing;

namespace {

// Ranges of an entry, which keep the entry far below the limit of a topic of dead letters.
constexpr size_t kMostRanges = 1'000;

}  // namespace

Status LedgerWriter::Note(const std::vector<Place>& letters) {
  std::vector<Place> sorted = letters;
  std::sort(sorted.begin(), sorted.end());
  std::map<int32_t, std::vector<DeadLetterRange>> ranges;
  for (const Place& place : sorted) {
    std::vector<DeadLetterRange>& of_partition = ranges[place.partition];
    if (!of_partition.empty() && of_partition.back().last + 1 >= place.offset) {
      of_partition.back().last = place.offset;
    } else {
      of_partition.push_back({place.offset, place.offset});
    }
  }
  std::deque<std::string> entries;
  std::vector<PartitionedMessage> messages;
  for (const auto& [partition, of_partition] : ranges) {
    for (size_t begin = 0; begin < of_partition.size(); begin += kMostRanges) {
      const size_t end = std::min(of_partition.size(), begin + kMostRanges);
      consumer::Resolution entry = entry_;
      entry.letters = {of_partition.begin() + static_cast<ptrdiff_t>(begin),
                       of_partition.begin() + static_cast<ptrdiff_t>(end)};
      entry.time = SystemClock()->WallMillis();
      entries.push_back(consumer::EncodeResolution(entry));
      messages.push_back({.partition = partition, .key = {}, .value = entries.back()});
    }
  }
  FENSI_ASSIGN_OR_RETURN(const std::vector<Placing> written, writer_->WriteAll(topic_, messages));
  for (const Placing& placing : written) FENSI_RETURN_IF_ERROR(placing.status.WithContext("the ledger"));
  return Status();
}

}  // namespace fensi::operations
