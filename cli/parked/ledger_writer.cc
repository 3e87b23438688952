#include "cli/parked/ledger_writer.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/clock.h"

namespace fensi::cli {

using consumer::LetterRange;
using consumer::PlacedMessage;
using consumer::Placing;

std::string WhoIsAtWork() {
  std::array<char, 256> host{};
  std::array<char, 4096> memory{};
  passwd entry{};
  passwd* found = nullptr;
  gethostname(host.data(), host.size() - 1);
  const bool known = getpwuid_r(geteuid(), &entry, memory.data(), memory.size(), &found) == 0 && found != nullptr;
  return (known ? std::string(found->pw_name) : "uid " + std::to_string(geteuid())) + "@" + host.data();
}

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
