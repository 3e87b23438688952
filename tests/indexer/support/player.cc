#include "tests/indexer/support/player.h"

#include <algorithm>
#include <span>

namespace fensi::testing {

Player::Player(World* world, const History& history) : world_(world), history_(history) {
  for (size_t i = 0; i < history.events.size(); ++i)
    events_.push_back(MakeEvent(history.events[i], i + 1, history.tick, history.base));
  for (size_t i : StreamOrder(history)) {
    stream_.push_back(history.lose_kinds ? WithoutKinds(events_[i]) : events_[i]);
  }
  order_ = StreamOrder(history);
  world->set_tight(history.batch_sizes.front() % 3 == 0);
  world->set_layout(LayoutOf(history));
}

void Player::Play() {
  bool fresh = true;
  while (committed_ < stream_.size() || !started_) {
    started_ = true;
    if (on_new_owner) on_new_owner();
    std::unique_ptr<indexer::IndexMaintainer> maintainer = world_->NewMaintainer(fresh, through);
    fresh = false;
    while (position_ < stream_.size() && ApplyBatch(maintainer.get()) && batches_ != ends_behind) {
    }
    position_ = committed_;
  }
  AdvanceSource(events_.size());
}

void Player::Replay() {
  std::unique_ptr<indexer::IndexMaintainer> maintainer = world_->NewMaintainer(false);
  const consumer::Batch batch = world_->MakeBatch(stream_);
  Must(maintainer->Apply(batch));
  Must(world_->RereadSource(maintainer.get(), batch));
}

bool Player::ApplyBatch(indexer::IndexMaintainer* maintainer) {
  const size_t size =
      std::min<size_t>(history_.batch_sizes[batches_ % history_.batch_sizes.size()], stream_.size() - position_);
  const size_t end = position_ + size;
  size_t told = 0;
  for (size_t i = position_; i < end; ++i) told = std::max(told, order_[i] + 1);
  world_->ShowSourceLate(static_cast<size_t>(history_.source_late));
  AdvanceSource(told + static_cast<size_t>(history_.source_ahead));
  Arm(end);
  const consumer::Batch told_now =
      world_->MakeBatch(std::span(stream_).subspan(position_, size), static_cast<int64_t>(position_));
  Status applied = maintainer->Apply(told_now);
  if (applied.ok()) applied = world_->RereadSource(maintainer, told_now);
  world_->faulty()->Heal();
  world_->faulty()->SetObserver({});
  const size_t batch = batches_++;
  if (!applied.ok()) {
    ++deaths_;
    return false;
  }
  position_ = end;
  if (on_batch) on_batch(end);
  const size_t every = static_cast<size_t>(history_.commit_every[commits_ % history_.commit_every.size()]);
  if (++uncommitted_ >= every || position_ == stream_.size()) {
    committed_ = position_;
    uncommitted_ = 0;
    ++commits_;
  }
  if (std::count(history_.compact_at.begin(), history_.compact_at.end(), static_cast<int>(batch)) > 0) {
    world_->CompactIndex(purge_markers);
  }
  return true;
}

void Player::Arm(size_t end) {
  for (const DeathSpec& death : history_.deaths) {
    if (static_cast<size_t>(death.batch) != batches_) continue;
    world_->faulty()->FailCall(death.call,
                               death.after ? store::FaultyStore::When::kAfter : store::FaultyStore::When::kBefore);
  }
  if (!on_write) return;
  furthest_ = std::max(furthest_, end);
  world_->faulty()->SetObserver([this](store::FaultyStore::Call, const std::string&) {
    on_write(committed_, furthest_);
    return Status();
  });
}

void Player::AdvanceSource(size_t to) {
  for (; source_ < std::min(to, events_.size()); ++source_) {
    world_->ApplyToSource(events_[source_]);
    if (history_.events[source_].compact_source) world_->CompactSource();
  }
}

std::string ReplayOneByOne(World* world, const std::vector<ChangeEvent>& stream) {
  const auto owner = world->NewMaintainer(false);
  for (const ChangeEvent& event : stream) {
    const consumer::Batch batch = world->MakeBatch({&event, 1});
    Must(owner->Apply(batch));
    if (const std::string now = world->Difference(); !now.empty()) return "during a replay" + now;
    Must(world->RereadSource(owner.get(), batch));
  }
  return "";
}

}  // namespace fensi::testing
