#include "operations/backfill/self_as_owner.h"

#include <functional>
#include <utility>

#include "indexer/index_meta.h"

namespace fensi::operations {
namespace {

/// The one thread that scans.
class OwnSink final : public sweep::RequestSink {
 public:
  explicit OwnSink(OwnRequests* requests) : requests_(requests) {}
  Status Send(const consumer::Request& request) override { return requests_->Send(request); }
  Status Flush() override { return requests_->Flush(); }

 private:
  OwnRequests* const requests_;
};

}  // namespace

Result<std::unique_ptr<SelfAsOwner>> SelfAsOwner::Begin(std::shared_ptr<const mapping::Index> index,
                                                        store::Store* store,
                                                        std::shared_ptr<consumer::DeadLetterSink> letters) {
  indexer::IndexMeta meta(index.get(), store);
  FENSI_RETURN_IF_ERROR(meta.Open());
  std::unique_ptr<SelfAsOwner> self(new SelfAsOwner(std::move(index), store, std::move(letters)));
  self->incarnation_ = meta.incarnation();
  self->thread_ = std::thread([owner = self.get()] { owner->requests_.Fail(owner->runner_.Run()); });
  return self;
}

SelfAsOwner::SelfAsOwner(std::shared_ptr<const mapping::Index> index, store::Store* store,
                         std::shared_ptr<consumer::DeadLetterSink> letters)
    : letters_(std::move(letters)),
      requests_(index.get(), store),
      runner_(index, &requests_, store, letters_.get(), SystemClock(), {}) {}

SelfAsOwner::~SelfAsOwner() {
  requests_.Finish();
  if (thread_.joinable()) thread_.join();
}

Result<std::unique_ptr<sweep::RequestSink>> SelfAsOwner::Sink(std::function<Status()>) {
  return std::unique_ptr<sweep::RequestSink>(std::make_unique<OwnSink>(&requests_));
}

}  // namespace fensi::operations
