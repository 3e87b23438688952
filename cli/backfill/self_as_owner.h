// Of an embedded store, which only one process may have: who scans is the owner
// of all rows, too.
//
// The owner's thread ends with the object. Everything that is handed in
// outlives it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "cli/backfill/own_requests.h"
#include "cli/backfill/owners.h"
#include "consumer/dead_letters.h"
#include "indexer/index_runner.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::cli {

class SelfAsOwner final : public Owners {
 public:
  /// Blocks on the store. Takes what an earlier process left undone first.
  static Result<std::unique_ptr<SelfAsOwner>> Begin(std::shared_ptr<const mapping::Index> index, store::Store* store,
                                                    std::shared_ptr<consumer::DeadLetterSink> letters);
  ~SelfAsOwner() override;

  const std::string& incarnation() const override { return incarnation_; }
  std::string Text() const override { return "this process"; }
  void Bound(sweep::ImageOptions*) const override {}
  int64_t dead_letters() const override { return runner_.counts().dead_letters; }
  Result<std::unique_ptr<sweep::RequestSink>> Sink(std::function<Status()> go_on) override;
  Result<Offsets> Ends() const override { return Offsets(); }
  /// A flush waits until all is applied.
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

}  // namespace fensi::cli
