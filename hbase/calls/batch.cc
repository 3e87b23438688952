#include "hbase/calls/batch.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace fensi::hbase {

using std::chrono::steady_clock;

namespace {

/// The error if each action of the region has the same one: HBase gives all of them the exception of one.
std::optional<RemoteError> ErrorOfAll(const RegionAnswer& answer, size_t asked) {
  if (asked < 2 || answer.items.size() != asked || !answer.items.front().error) return std::nullopt;
  const RemoteError& first = *answer.items.front().error;
  for (const RegionAnswer::OfItem& one : answer.items) {
    if (!one.error || one.error->exception != first.exception || one.error->message != first.message)
      return std::nullopt;
  }
  return first;
}

}  // namespace

Batch::Batch(const CallContext& context, const std::string& table, BatchActions* actions, const BatchLimits& limits)
    : context_(context), table_(table), actions_(actions), limits_(limits), queue_(context.scope) {}

Status Batch::Run() {
  paces_.resize(actions_->size());
  refused_.resize(actions_->size());
  halved_.resize(actions_->size());
  for (const Items& part : CutIntoParts()) FENSI_RETURN_IF_ERROR(RunPart(part));
  return {};
}

std::vector<Batch::Items> Batch::CutIntoParts() {
  struct OfRow {
    size_t part = 0, actions = 0, bytes = 0;
  };
  absl::flat_hash_map<std::string_view, OfRow> rows;
  std::vector<Items> parts(1);
  for (size_t i = 0; i < actions_->size(); ++i) {
    if (!actions_->Change()) {
      parts[0].push_back(i);
      continue;
    }
    const size_t bytes = actions_->BytesOf(i);
    OfRow& row = rows[actions_->RowOf(i)];
    rows_repeat_ = rows_repeat_ || row.actions > 0;
    if (row.actions > 0 && (row.actions >= limits_.actions || row.bytes + bytes > limits_.bytes)) {
      row = {.part = row.part + 1};
    }
    ++row.actions;
    row.bytes += bytes;
    if (parts.size() <= row.part) parts.resize(row.part + 1);
    parts[row.part].push_back(i);
  }
  const auto by_row = [this](size_t one, size_t other) { return actions_->RowOf(one) < actions_->RowOf(other); };
  for (Items& part : parts) {
    if (rows_repeat_) std::stable_sort(part.begin(), part.end(), by_row);
  }
  return parts;
}

size_t Batch::UnitEnd(const Items& items, size_t begin) const {
  size_t end = begin + 1;
  if (!rows_repeat_) return end;
  while (end < items.size() && actions_->RowOf(items[end]) == actions_->RowOf(items[begin])) ++end;
  return end;
}

Status Batch::RunPart(const Items& part) {
  Plan(part);
  while (true) {
    if (failure_.ok()) PlanDue();
    if (failure_.ok()) SendReady();
    if (!failure_.ok() && calls_.empty()) return failure_;
    if (calls_.empty() && later_.empty()) {
      if (!PlanHeld()) return {};
      continue;
    }
    Result<std::optional<AnswerQueue::Got>> got = queue_.Next(failure_.ok() ? NextDue() : std::nullopt);
    if (!got.ok()) return got.status();
    if (got->has_value()) TakeAnswer((*got)->tag, std::move((*got)->answer));
  }
}

bool Batch::PlanHeld() {
  if (held_.empty()) return false;
  Items items = std::exchange(held_, {});
  std::sort(items.begin(), items.end(), [this](size_t one, size_t other) {
    return std::pair(actions_->RowOf(one), one) < std::pair(actions_->RowOf(other), other);
  });
  Plan(items);
  return true;
}

std::optional<Deadline> Batch::NextDue() const {
  return later_.empty() ? std::nullopt : std::optional(later_.begin()->first);
}

void Batch::PlanDue() {
  while (!later_.empty() && later_.begin()->first <= steady_clock::now() && failure_.ok()) {
    const Items items = std::move(later_.begin()->second);
    later_.erase(later_.begin());
    Plan(items);
  }
}

/// Finds the region of each; those of one region stay together, in order.
void Batch::Plan(const Items& items) {
  std::map<const RegionLocation*, RegionActions> regions;
  std::vector<LocationPtr> order;
  RowLocations locations(context_.locator, table_, context_.scope);
  Items lost;
  Status why_lost;
  for (size_t begin = 0, end = 0; begin < items.size(); begin = end) {
    end = UnitEnd(items, begin);
    const Status found = locations.Find(actions_->RowOf(items[begin]));
    if (!found.ok() && found.code() != StatusCode::kUnavailable) return Fail(found);
    if (!found.ok()) why_lost = found;
    RegionActions* region = found.ok() ? &regions[locations.current().get()] : nullptr;
    if (region != nullptr && region->region == nullptr) {
      region->region = locations.current();
      order.push_back(region->region);
    }
    Items& to = found.ok() ? region->items : lost;
    to.insert(to.end(), items.begin() + static_cast<ptrdiff_t>(begin), items.begin() + static_cast<ptrdiff_t>(end));
  }
  for (const LocationPtr& one : order) {
    ready_[AddressText(one->server.host, one->server.port)].push_back(std::move(regions[one.get()]));
  }
  if (!lost.empty()) RetryLater(std::move(lost), Remedy::kPause, why_lost);
}

void Batch::SendReady() {
  for (auto& [server, ready] : ready_) {
    while (!ready.empty() && calls_.size() < limits_.calls && calls_of_server_[server] < limits_.calls_of_server) {
      if (const Status granted = context_.scope.Granted(); !granted.ok()) return Fail(granted);
      SendTo(ready.front().region->server, &ready);
    }
  }
}

/// The first of them, as many as one call takes; the rest stays.
std::vector<RegionActions> Batch::TakeFor(std::deque<RegionActions>* ready) {
  std::vector<RegionActions> taken;
  size_t actions = 0, bytes = 0;
  while (!ready->empty()) {
    RegionActions& next = ready->front();
    if (next.own_call && !taken.empty()) break;
    RegionActions part{next.region, {}, next.own_call};
    size_t fits = 0;
    while (fits < next.items.size()) {
      const size_t unit = UnitEnd(next.items, fits);
      size_t more = 0;
      for (size_t i = fits; i < unit; ++i) more += actions_->BytesOf(next.items[i]);
      if (actions > 0 && (actions + unit - fits > limits_.actions || bytes + more > limits_.bytes)) break;
      actions += unit - fits;
      bytes += more;
      fits = unit;
    }
    if (fits == 0) break;
    const auto end = next.items.begin() + static_cast<ptrdiff_t>(fits);
    part.items.assign(next.items.begin(), end);
    next.items.erase(next.items.begin(), end);
    taken.push_back(std::move(part));
    if (!next.items.empty()) break;
    ready->pop_front();
    if (taken.back().own_call) break;
  }
  return taken;
}

bool Batch::Repeats(const std::vector<RegionActions>& regions) const {
  return std::any_of(regions.begin(), regions.end(), [this](const RegionActions& region) {
    return std::any_of(region.items.begin(), region.items.end(),
                       [this](size_t item) { return paces_[item].attempts() > 0; });
  });
}

void Batch::SendTo(const ServerAddress& server, std::deque<RegionActions>* ready) {
  std::vector<RegionActions> regions = TakeFor(ready);
  const auto connection = context_.connections->To(server.host, server.port, "ClientService");
  const uint32_t id = connection->NewCallId();
  const size_t number = ++last_call_;
  if (Repeats(regions)) connection->stats().Repeated();
  std::string frame = actions_->Build({id, "Multi", context_.scope.call_timeout}, regions);
  calls_[number] = {connection, std::move(regions)};
  ++calls_of_server_[AddressText(server.host, server.port)];
  queue_.Send(connection, id, std::move(frame), number, context_.scope.call_timeout,
              actions_->Change() ? Effect::kChanges : Effect::kNone);
}

void Batch::TakeAnswer(size_t call_number, Answer answer) {
  const auto found = calls_.find(call_number);
  const Call call = std::move(found->second);
  calls_.erase(found);
  --calls_of_server_[AddressText(call.connection->options().host, call.connection->options().port)];
  asks_state_ = true;
  gets_on_ = false;  // an answer that is full brings the rest of its rows next time
  Status status = answer.status;
  if (status.ok() && answer.error) {
    return TakeErrorOfCall(call, *answer.error);
  }
  Result<std::vector<RegionAnswer>> answers = std::vector<RegionAnswer>();
  if (status.ok()) answers = ReadMulti(answer, call.regions);
  if (status.ok() && !answers.ok()) {
    status = answers.status().WithContext(call.connection->Name());
    call.connection->Close(status);
    answers = std::vector<RegionAnswer>();
  }
  for (const RegionAnswer& region : *answers) {
    for (const RegionAnswer::OfItem& one : region.items) gets_on_ = gets_on_ || !one.error;
  }
  for (size_t i = 0; i < call.regions.size() && failure_.ok(); ++i) {
    if (status.ok()) {
      TakeRegion(call, call.regions[i], &(*answers)[i], answer.frame);
    } else {
      context_.locator->Disconnected(call.regions[i].region);
      RetryLater(call.regions[i].items, Remedy::kForgetRegion, status);
    }
  }
}

/// What may be the fault of one action, or of the size of the call, is asked again for each region alone.
void Batch::TakeErrorOfCall(const Call& call, const RemoteError& error) {
  const bool alone = RemedyFor(error) == Remedy::kFinal && actions_->MayBlameOne(error) && call.regions.size() > 1;
  for (const RegionActions& region : call.regions) {
    if (!failure_.ok()) return;
    RegionActions own{region.region, region.items, /*own_call=*/true};
    if (!alone) {
      TakeWholeError(call, own, error);
      continue;
    }
    const ServerAddress& server = region.region->server;
    ready_[AddressText(server.host, server.port)].push_back(std::move(own));
  }
}

void Batch::TakeRegion(const Call& call, const RegionActions& region, RegionAnswer* answer, const FrameBytes& frame) {
  if (answer->error) {
    call.connection->stats().Failed(std::string(ShortName(*answer->error)));
    TakeWholeError(call, region, *answer->error);
  } else {
    TakeItems(call, region, answer, frame);
  }
}

void Batch::TakeWholeError(const Call& call, const RegionActions& region, const RemoteError& error) {
  if (RemedyFor(error) != Remedy::kFinal) return Retry(region, region.items, error, call.connection->Name());
  if (!actions_->MayBlameOne(error)) return Fail(FaultOfTable(call.connection->Name(), error));
  if (region.items.size() > 1) return Halve(region);
  RefuseItem(region.items.front(), error, /*named=*/false);
}

/// Nothing of the region's actions was done: both halves go into one call, in order. Of a single row's actions only the
/// first half does, the other waits for it.
void Batch::Halve(const RegionActions& region) {
  for (const size_t item : region.items) halved_[item] = true;
  std::deque<RegionActions>& ready = ready_[AddressText(region.region->server.host, region.region->server.port)];
  size_t middle = 0;
  while (middle < region.items.size() / 2) middle = UnitEnd(region.items, middle);
  if (middle == region.items.size()) {  // the last unit is the larger half: that before it, if there is one
    size_t begin = 0;
    while (UnitEnd(region.items, begin) < middle) begin = UnitEnd(region.items, begin);
    middle = begin;
  }
  const bool one_row = middle == 0;
  if (one_row) middle = region.items.size() / 2;
  const auto cut = region.items.begin() + static_cast<ptrdiff_t>(middle);
  if (one_row) {
    held_.insert(held_.end(), cut, region.items.end());
  } else {
    ready.push_front({region.region, Items(cut, region.items.end()), region.own_call});
  }
  ready.push_front({region.region, Items(region.items.begin(), cut), region.own_call});
}

bool Batch::TakeItem(const Call& call, const RegionActions& region, RegionAnswer::OfItem* one, const FrameBytes& frame,
                     RemoteError* why) {
  const size_t item = region.items[one->position];
  if (!one->error) {
    actions_->Take(item, one, frame);
    return false;
  }
  call.connection->stats().Failed(std::string(ShortName(*one->error)));
  if (RemedyFor(*one->error) != Remedy::kFinal) {
    *why = std::move(*one->error);
    return true;
  }
  if (actions_->MayBlameOne(*one->error)) {
    // HBase reports an error of a whole region for each action: one that is alone there is not named by it.
    RefuseItem(item, *one->error, /*named=*/region.items.size() > 1);
  } else {
    Fail(FaultOfTable(call.connection->Name(), *one->error));
  }
  return false;
}

void Batch::TakeItems(const Call& call, const RegionActions& region, RegionAnswer* answer, const FrameBytes& frame) {
  if (const std::optional<RemoteError> all = ErrorOfAll(*answer, region.items.size())) {
    return TakeWholeError(call, region, *all);
  }
  std::vector<bool> open(region.items.size(), true);
  RemoteError to_repeat{.exception = "RetryImmediatelyException", .message = "not answered"};
  for (RegionAnswer::OfItem& one : answer->items) {
    open[one.position] = TakeItem(call, region, &one, frame, &to_repeat);
    if (!failure_.ok()) return;
  }
  // What comes after an open action on its row is repeated with it, though it is done: the later must not come before
  // the earlier.
  Items again;
  for (size_t begin = 0, end = 0; begin < region.items.size(); begin = end) {
    end = UnitEnd(region.items, begin);
    bool repeats = false;
    for (size_t i = begin; i < end; ++i) {
      repeats = repeats || open[i];
      if (repeats && !refused_[region.items[i]]) again.push_back(region.items[i]);
    }
  }
  if (!again.empty()) Retry(region, std::move(again), to_repeat, call.connection->Name());
}

void Batch::Retry(const RegionActions& region, Items items, const RemoteError& error, const std::string& server) {
  if (!failure_.ok()) return;
  const Remedy remedy = RemedyFor(error);
  const Status why = TextOf(server, ErrorWords(error, *region.region));
  if (remedy == Remedy::kThrottled) return Fail(why);
  context_.locator->Learn(region.region, error);
  // Of changes a later one of the row may be done each time, and is repeated with those before it: no sign of progress.
  if (remedy == Remedy::kAtOnce && gets_on_ && !actions_->Change()) {
    for (const size_t item : items) paces_[item] = RetryPace();
  }
  const bool lasting = remedy == Remedy::kForgetRegion && paces_[items.front()].attempts() > 0;
  if (lasting && std::exchange(asks_state_, false)) {
    const Status enabled = CheckEnabled(context_, table_);
    if (!enabled.ok()) return Fail(enabled);
  }
  RetryLater(std::move(items), remedy, why);
}

void Batch::RetryLater(Items items, Remedy remedy, const Status& why) {
  if (!failure_.ok()) return;
  const std::optional<Deadline> due = paces_[items.front()].Next(remedy, context_);
  if (!due) return Fail(why);
  for (size_t i = 1; i < items.size(); ++i) static_cast<void>(paces_[items[i]].Next(remedy, context_));
  later_.emplace(*due, std::move(items));
}

void Batch::RefuseItem(size_t item, const RemoteError& error, bool named) {
  refused_[item] = true;
  if (const Status status = actions_->Refuse({item, error, named, halved_[item]}); !status.ok()) Fail(status);
}

void Batch::Fail(const Status& why) {
  if (failure_.ok()) failure_ = why;
  ready_.clear();
  later_.clear();
  held_.clear();
}

/// An error that HBase calls final passes when a person repairs the table.
Status Batch::FaultOfTable(const std::string& server, const RemoteError& error) const {
  const StatusCode code = CodeOf(error);
  const Status fault = TextOf(server, ErrorWords(error));
  return code == StatusCode::kRejected ? fault.WithSuffix(kReadServersLog).As(StatusCode::kUnavailable)
                                       : fault.As(code);
}

Status Batch::TextOf(const std::string& server, const RedactableText& what) const {
  return Status(StatusCode::kUnavailable, actions_->Doing() + " in table " + table_ + ": " + server + ": " + what);
}

}  // namespace fensi::hbase
