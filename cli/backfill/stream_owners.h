// Owners that are asked in Kafka, beside the change stream that they follow.
//
// Blocks on the store and on the brokers; one thread but for Sink. Everything
// that is handed in outlives it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/status.h"
#include "cli/backfill/owners.h"
#include "consumer/kafka/topic_admin.h"
#include "indexer/owner_progress.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::cli {

class StreamOwners final : public Owners {
 public:
  /// kConfiguration or kNotFound: nobody owns the rows, or they cannot be
  /// asked, with what is to be done.
  static Result<std::unique_ptr<StreamOwners>> Find(const mapping::Index* index, store::Store* store);

  const std::string& incarnation() const override { return incarnation_; }
  std::string Text() const override;
  void NoteJoined() override { joined_ = true; }
  std::string Losses() const override { return losses_; }
  void NoteLosses(const std::string& of_job) override { losses_ = of_job; }
  void Bound(sweep::ImageOptions* images) const override;
  Result<std::unique_ptr<sweep::RequestSink>> Sink(std::function<Status()> go_on) override;
  Result<Offsets> Ends() const override;
  Result<int64_t> Waiting(const Offsets& ends) const override;

 private:
  StreamOwners(const mapping::Index* index, store::Store* store) : index_(index), store_(store) {}
  Status Meet();
  Result<indexer::OwnerProgress> AwaitBegun() const;
  Status Lost(const std::string& where) const;

  const mapping::Index* const index_;
  store::Store* const store_;
  std::unique_ptr<consumer::TopicAdmin> admin_;
  std::string incarnation_;
  int32_t partitions_ = 0;
  std::optional<int64_t> most_bytes_;
  bool joined_ = false;
  std::string losses_;  // that are not of the job
  Offsets first_ends_;  // when this process came
};

}  // namespace fensi::cli
