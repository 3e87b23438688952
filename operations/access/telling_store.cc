#include "operations/access/telling_store.h"

#include <utility>

#include "store/wrapped_store.h"

namespace fensi::operations {

using std::chrono::milliseconds;

TellingStore::TellingStore(std::shared_ptr<store::Store> behind, Options options)
    : DelegatingStore(std::move(behind)), options_(std::move(options)), thread_(options_.look, [this] {
        for (const std::string& line : Lines()) options_.tell(line);
      }) {}

template <typename Call>
auto TellingStore::Around(const std::string& table, Call call) -> decltype(call()) {
  {
    const MutexLock lock(mu_);
    silences_.try_emplace(table, Silence{options_.clock->MonotonicNow(), {}, ""});
  }
  auto answer = call();
  NoteAnswer(table, store::StatusOf(answer));
  return answer;
}

void TellingStore::NoteAnswer(const std::string& table, const Status& status) {
  std::string line;
  {
    const MutexLock lock(mu_);
    const auto at = silences_.find(table);
    if (at == silences_.end()) return;
    if (status.code() == StatusCode::kUnavailable) {
      at->second.last = status.message();
      return;
    }
    if (at->second.told) line = options_.command + ": table " + table + " answers again";
    silences_.erase(at);
  }
  if (!line.empty()) options_.tell(line);
}

std::vector<std::string> TellingStore::Lines() {
  std::vector<std::string> lines;
  const milliseconds now = options_.clock->MonotonicNow();
  const MutexLock lock(mu_);
  for (auto& [table, silence] : silences_) {
    const milliseconds lasting = now - silence.since;
    if (lasting < kSilence || (silence.told && now - *silence.told < kAgain)) continue;
    silence.told = now;
    lines.push_back(options_.command + ": waits for table " + table + ", which has not answered for " +
                    std::to_string(lasting.count() / 1000) + " s" +
                    (silence.last.empty() ? std::string() : " (" + silence.last + ")") +
                    ". Check that the table exists and is enabled, and that HBase and its gateway work");
  }
  return lines;
}

Result<std::vector<store::Row>> TellingStore::Get(const std::string& table,
                                                  std::span<const store::GetRequest> requests) {
  return Around(table, [&] { return DelegatingStore::Get(table, requests); });
}

Result<std::vector<store::Row>> TellingStore::GetSome(const std::string& table,
                                                      std::span<const store::GetRequest> requests, size_t max_bytes) {
  return Around(table, [&] { return DelegatingStore::GetSome(table, requests, max_bytes); });
}

Result<std::vector<store::Row>> TellingStore::Scan(const std::string& table, const store::ScanRequest& request) {
  return Around(table, [&] { return DelegatingStore::Scan(table, request); });
}

Result<std::optional<store::TableDescriptor>> TellingStore::DescribeTable(const std::string& table) {
  return Around(table, [&] { return DelegatingStore::DescribeTable(table); });
}

Result<std::vector<std::string>> TellingStore::RegionStarts(const std::string& table) {
  return Around(table, [&] { return DelegatingStore::RegionStarts(table); });
}

Result<std::optional<std::vector<store::RegionSize>>> TellingStore::RegionSizes(const std::string& table) {
  return Around(table, [&] { return DelegatingStore::RegionSizes(table); });
}

}  // namespace fensi::operations
