// Converts a stateful index to a stateless one for a command (indexer/conversion.h): shows what there is to do, checks
// that no process runs the index, and does it.
//
// Blocks on the store and on Kafka; one thread.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "consumer/dead_letters.h"
#include "consumer/kafka/client/topic_admin.h"
#include "indexer/conversion.h"
#include "mapping/index.h"
#include "operations/access/kafka.h"
#include "operations/access/stores.h"
#include "store/store.h"

namespace fensi::operations {

struct ConvertOptions {
  StoreOptions store;
  std::optional<KafkaOptions>
      kafka;  // absent: the store is embedded, and its lock proves that no process runs the index
  bool execute = false;
};

/// Opens the store, to write if the options say so. Long outages of its server are waited for.
Result<std::shared_ptr<store::Store>> OpenTablesToConvert(const ConvertOptions& options);

class Converting {
 public:
  Converting(std::shared_ptr<const mapping::Index> index, std::shared_ptr<store::Store> store, ConvertOptions options)
      : index_(std::move(index)),
        store_(std::move(store)),
        options_(std::move(options)),
        conversion_(index_.get(), store_.get(), &letters_, SystemClock()) {}

  /// kConfiguration: the index cannot be converted, or a process runs it.
  Status Run();

 private:
  /// Counts what cannot be mapped, or put. Most of it became dead letters when its event arrived.
  class CountedLetters final : public consumer::DeadLetterSink {
   public:
    Status Send(const consumer::DeadLetter& letter) override {
      if (count_++ > 0) return {};
      first_ = letter.reason;
      first_row_ = letter.row;
      return {};
    }
    Status Flush() override { return {}; }
    int64_t count() const { return count_; }
    const std::string& first() const { return first_; }
    const std::string& first_row() const { return first_row_; }

   private:
    int64_t count_ = 0;
    std::string first_, first_row_;
  };

  Status OpenKafka();
  /// Describes what exists; for a plan also what will become of it.
  std::string FoundText() const;
  Status RequireStopped() const;
  /// An unknown group has no members, even if a daemon runs the index.
  Status RequireItsGroup() const;
  Status Execute();

  const std::shared_ptr<const mapping::Index> index_;
  const std::shared_ptr<store::Store> store_;
  const ConvertOptions options_;
  CountedLetters letters_;
  indexer::Conversion conversion_;
  std::unique_ptr<consumer::TopicAdmin> admin_;  // null: Kafka is not used
  indexer::Conversion::Found found_;
};

}  // namespace fensi::operations
