// A store view that reports for which table a command waits: a table that was removed or disabled, or a silent server,
// must not look like work.
//
// Any thread may call it. A thread of its own reports, from construction to destruction. The clock outlives it.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/periodic_thread.h"
#include "store/wrapped_store.h"

namespace fensi::operations {

class TellingStore final : public store::DelegatingStore {
 public:
  /// A table without an answer for this time is reported, and then again after kAgain.
  static constexpr std::chrono::seconds kSilence{5}, kAgain{30};
  struct Options {
    std::string command;                           // name of the reporting command
    std::function<void(const std::string&)> tell;  // called on the view's thread
    Clock* clock = SystemClock();
    std::chrono::milliseconds look{500};
  };

  TellingStore(std::shared_ptr<store::Store> behind, Options options);

  Result<std::vector<store::Row>> Get(const std::string& table, std::span<const store::GetRequest> requests) override;
  Result<std::vector<store::Row>> GetSome(const std::string& table, std::span<const store::GetRequest> requests,
                                          size_t max_bytes) override;
  Result<std::vector<store::Row>> Scan(const std::string& table, const store::ScanRequest& request) override;
  Result<std::optional<store::TableDescriptor>> DescribeTable(const std::string& table) override;
  Result<std::vector<std::string>> RegionStarts(const std::string& table) override;
  Result<std::optional<std::vector<store::RegionSize>>> RegionSizes(const std::string& table) override;

 private:
  /// A table without an answer since.
  struct Silence {
    std::chrono::milliseconds since{0};
    std::optional<std::chrono::milliseconds> told;
    std::string last;  // text of the last error; empty: none
  };
  template <typename Call>
  auto Around(const std::string& table, Call call) -> decltype(call());
  void NoteAnswer(const std::string& table, const Status& status);
  std::vector<std::string> Lines();

  const Options options_;
  Mutex mu_;
  std::map<std::string, Silence> silences_ ABSL_GUARDED_BY(mu_);  // by table
  PeriodicThread thread_;
};

}  // namespace fensi::operations
