#include "indexer/index_move.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/random_name.h"
#include "indexer/remedies.h"

namespace fensi::indexer {

IndexMove::IndexMove(const mapping::Index* index, store::Store* store, Clock* clock)
    : index_(index), meta_(index, store, clock), row_(index, store, clock) {}

Result<MoveStage> IndexMove::Open() {
  const std::string where = "index " + index_->name();
  const Result<std::optional<IndexMeta::Begun>> begun = meta_.Known();
  FENSI_RETURN_IF_ERROR(begun.status());
  if (!begun->has_value()) {
    return Status(StatusCode::kConfiguration,
                  where + " has not begun, so there is nothing to move: 'fensi run' begins it as its mapping says");
  }
  const Result<meta::SharedRow::Cells> known = row_.Read(std::vector<std::string>{"scheme", "buckets"});
  FENSI_RETURN_IF_ERROR(known.status().WithContext(where));
  const auto cell = [&](const char* name) {
    const auto found = known->find(name);
    return found == known->end() ? std::optional<Cell>() : std::optional(found->second);
  };
  const std::string text = SchemeText(cell("scheme"));
  const std::optional<KnownScheme> scheme = ParseScheme(text);
  if (!scheme) return UnknownScheme(*index_, text);
  incarnation_ = (*begun)->incarnation;
  if (index_->scheme() != mapping::Scheme::kMirror) {
    return Status(StatusCode::kConfiguration, where +
                                                  ": its mapping does not say 'scheme: mirror', which it is to "
                                                  "become; 'fensi check' tells whether it can");
  }
  if (scheme->scheme == mapping::Scheme::kMirror) return MoveStage::kMoved;
  states_ = scheme->buckets ? kBucketScheme : kStateScheme;
  Result<StateLayout> layout = LayoutOf(*index_, *scheme, cell("buckets"));
  FENSI_RETURN_IF_ERROR(layout.status());
  layout_ = *layout;
  FENSI_RETURN_IF_ERROR(CheckMovable(**begun));
  return scheme->moving ? MoveStage::kBegun : MoveStage::kNotBegun;
}

Status IndexMove::CheckMovable(const IndexMeta::Begun& begun) {
  if (!begun.reads_source) {
    return Status(StatusCode::kConfiguration,
                  "index " + index_->name() + " was begun where its source table " + index_->source_table() +
                      " was not in the store, and a mirror reads it: " + RebuildRemedy(*index_));
  }
  FENSI_RETURN_IF_ERROR(meta_.CheckUnits(false));
  return meta_.CheckSource();
}

Status IndexMove::Begin() {
  FENSI_RETURN_IF_ERROR(meta_.LearnIncarnation());
  incarnation_ = meta_.incarnation();
  const Result<std::optional<Cell>> known = row_.Read("scheme");
  FENSI_RETURN_IF_ERROR(known.status());
  const std::string text = SchemeText(*known);
  if (text == kMirrorScheme) return Taken();
  ours_ = std::string(kMovingFrom) + states_ + std::string(kMovedBy) + RandomName();
  return Replace(*known, ours_);
}

Status IndexMove::CheckOurs() const {
  const Result<std::optional<Cell>> known = row_.Read("scheme");
  FENSI_RETURN_IF_ERROR(known.status());
  return SchemeText(*known) == ours_ ? Status() : Taken();
}

Status IndexMove::Finish() { return End(kMirrorScheme); }

Status IndexMove::TakeBack() { return End(states_); }

Status IndexMove::End(std::string_view scheme) const {
  const Result<std::optional<Cell>> known = row_.Read("scheme");
  FENSI_RETURN_IF_ERROR(known.status());
  return SchemeText(*known) == ours_ ? Replace(*known, std::string(scheme)) : Taken();
}

Result<bool> IndexMove::HasCommitted() const {
  const Result<meta::SharedRow::Cells> cells = row_.ReadAll();
  FENSI_RETURN_IF_ERROR(cells.status());
  return std::any_of(cells->begin(), cells->end(),
                     [](const auto& each) { return IsCommitted(each.first, each.second); });
}

Status IndexMove::Taken() const {
  return Status(StatusCode::kFenced, "index " + index_->name() + ": another 'fensi migrate' moves it");
}

Status IndexMove::Replace(const std::optional<Cell>& known, const std::string& scheme) const {
  const Result<std::optional<Cell>> definition = row_.Read("definition");
  FENSI_RETURN_IF_ERROR(definition.status());
  if (!definition->has_value()) return Taken();
  const Result<int64_t> version = row_.VersionAbove(**definition);
  FENSI_RETURN_IF_ERROR(version.status());
  const Result<Cell> now =
      row_.Replace("scheme", known, scheme, {MetaRow::CellOf("definition", *version, DefinitionText(*index_, scheme))});
  FENSI_RETURN_IF_ERROR(now.status().WithContext("index " + index_->name()));
  return now->value == scheme ? Status() : Taken();
}

}  // namespace fensi::indexer
