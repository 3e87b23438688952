#include "cli/parked/ledger_writer.h"

#include <algorithm>

#include "base/clock.h"

namespace fensi::cli {

using consumer::LetterRange;
using consumer::PlacedMessage;
using consumer::Placing;

Status LedgerWriter::Note(const std::vector<Place>& letters) {
  std::vector<Place> sorted = letters;
  std::sort(sorted.begin(), sorted.end());
  std::map<int32_t, std::vector<LetterRange>> ranges;
  for (const Place& place : sorted) {
    std::vector<LetterRange>& of_partition = ranges[place.partition];
    if (!of_partition.empty() && of_partition.back().last + 1 >= place.offset) {
      of_partition.back().last = place.offset;
    } else {
      of_partition.push_back({place.offset, place.offset});
    }
  }
  std::vector<std::string> entries;
  std::vector<PlacedMessage> messages;
  entries.reserve(ranges.size());
  for (auto& [partition, of_partition] : ranges) {
    consumer::Resolution entry = entry_;
    entry.letters = std::move(of_partition);
    entry.time = SystemClock()->WallMillis();
    entries.push_back(consumer::EncodeResolution(entry));
    messages.push_back({.partition = partition, .key = {}, .value = entries.back()});
  }
  const Result<std::vector<Placing>> written = writer_->WriteAll(topic_, messages);
  FENSI_RETURN_IF_ERROR(written.status());
  for (const Placing& placing : *written) FENSI_RETURN_IF_ERROR(placing.status.WithContext("the ledger"));
  return Status();
}

}  // namespace fensi::cli
