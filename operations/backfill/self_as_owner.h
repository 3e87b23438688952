// Makes the scanning process the owner of all rows of an embedded store, which only one process may have.
//
// The owner's thread ends with the object. Everything that is handed in outlives it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "consumer/dead_letters.h"
#include "indexer/index_runner.h"
#include "mapping/index.h"
#include "operations/backfill/own_requests.h"
#include "operations/backfill/owners.h"
#include "store/store.h"

namespace fensi::operations {

class SelfAsOwner final : public Owners {
 public:
  /// Blocks on the store. First completes what an earlier process left.
  static Result<std::unique_ptr<SelfAsOwner>> Begin(std::shared_ptr<const mapping::Index> index, store::Store* store,
                                                    std::shared_ptr<consumer::DeadLetterSink> letters);
  ~SelfAsOwner() override;

  const std::string& incarnation() const override { return incarnation_; }
  std::string Text() const override { return "this process"; }
  void Bound(sweep::RowSnapshotOptions*) const override {}
  int64_t dead_letters() const override { return runner_.counts().dead_letters; }
  Result<std::unique_ptr<sweep::RequestSink>> Sink(std::function<Status()> go_on) override;
  Result<Offsets> Ends() const override { return Offsets(); }
  /// Flush waits until everything is applied.
  Result<int64_t> Waiting(const Offsets&) const override { return 0; }

 private:
  SelfAsOwner(std::shared_ptr<const mapping::Index> index, store::Store* store,
              std::shared_ptr<consumer::DeadLetterSink> letters);

  const std::shared_ptr<consumer::DeadLetterSink> letters_;
  OwnRequests requests_;
  indexer::IndexRunner runner_;
  std::string incarnation_;
  std::thread thread_;
};

}  // namespace fensi::operations
