// A view of a store that tells for which table a command waits: a table that was removed or disabled, or a server that
// is silent, must not look like work.
//
// Any thread may call it. A thread of its own tells, from construction to destruction. The clock outlives it.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "store/passing_store.h"

namespace fensi::cli {

class TellingStore final : public store::PassingStore {
 public:
  /// Without an answer for so long a table is told of, and then each time after kAgain.
  static constexpr std::chrono::seconds kSilence{5}, kAgain{30};
  struct Options {
    std::string command;                           // whose words they are
    std::function<void(const std::string&)> tell;  // on the view's thread
    Clock* clock = SystemClock();
    std::chrono::milliseconds look{500};
  };

  TellingStore(std::shared_ptr<store::Store> behind, Options options);
  ~TellingStore() override;

  Result<std::vector<store::Row>> Get(const std::string& table, std::span<const store::GetRequest> requests) override;
  Result<std::vector<store::Row>> GetSome(const std::string& table, std::span<const store::GetRequest> requests,
                                          size_t max_bytes) override;
  Result<std::vector<store::Row>> Scan(const std::string& table, const store::ScanRequest& request) override;
  Result<std::optional<store::TableDescriptor>> DescribeTable(const std::string& table) override;
  Result<std::vector<std::string>> RegionStarts(const std::string& table) override;

 private:
  /// A table from which nobody has had an answer since.
  struct Silence {
    std::chrono::milliseconds since{0};
    std::optional<std::chrono::milliseconds> told;
    std::string last;  // words of the last error; empty: none came
  };
  template <typename Call>
  auto Around(const std::string& table, Call call) -> decltype(call());
  void NoteAnswer(const std::string& table, const Status& status);
  void Run();
  std::vector<std::string> Lines();

  const Options options_;
  Mutex mu_;
  Condition changed_;
  bool ending_ ABSL_GUARDED_BY(mu_) = false;
  std::map<std::string, Silence> silences_ ABSL_GUARDED_BY(mu_);  // by table
  std::thread thread_;
};

}  // namespace fensi::cli
