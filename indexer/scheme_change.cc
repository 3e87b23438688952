#include "indexer/scheme_change.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/random_name.h"
#include "indexer/remedies.h"

namespace fensi::indexer {

SchemeChange::SchemeChange(const mapping::Index* index, store::Store* store, Clock* clock)
    : index_(index), meta_(index, store, clock), row_(index, store, clock) {}

Result<SchemeChangeStage> SchemeChange::Open() {
  const std::string where = "index " + index_->name();
  FENSI_ASSIGN_OR_RETURN(const std::optional<IndexMeta::Begun> begun, meta_.Known());
  if (!begun.has_value()) {
    return Status(StatusCode::kConfiguration, where +
                                                  " has not begun, so there is nothing to convert. Start 'fensi run', "
                                                  "which begins it with the mode of its mapping");
  }
  const Result<meta::VersionedMetaRow::Cells> known = row_.Read(std::vector<std::string>{"scheme", "buckets"});
  FENSI_RETURN_IF_ERROR(known.status().WithContext(where));
  const auto cell = [&](const char* name) {
    const auto found = known->find(name);
    return found == known->end() ? std::optional<Cell>() : std::optional(found->second);
  };
  const std::string text = SchemeText(cell("scheme"));
  const std::optional<KnownScheme> scheme = ParseScheme(text);
  if (!scheme) return UnknownScheme(*index_, text);
  incarnation_ = begun->incarnation;
  if (index_->scheme() != mapping::Scheme::kStateless) {
    return Status(StatusCode::kConfiguration,
                  where +
                      ": its mapping lacks 'mode: stateless'. Write this line into the mapping. "
                      "'fensi check MAPPING' shows whether the index can be stateless");
  }
  if (scheme->scheme == mapping::Scheme::kStateless) return SchemeChangeStage::kMoved;
  states_ = scheme->buckets ? kBucketScheme : kStateScheme;
  FENSI_ASSIGN_OR_RETURN(layout_, LayoutOf(*index_, *scheme, cell("buckets")));
  FENSI_RETURN_IF_ERROR(CheckMovable(*begun));
  return scheme->moving ? SchemeChangeStage::kStarted : SchemeChangeStage::kNotStarted;
}

Status SchemeChange::CheckMovable(const IndexMeta::Begun& begun) {
  if (!begun.reads_source) {
    return Status(StatusCode::kConfiguration, BeganWithoutSource(*index_));
  }
  FENSI_RETURN_IF_ERROR(meta_.CheckSourceStore());
  FENSI_RETURN_IF_ERROR(meta_.CheckUnits(false));
  return meta_.CheckSource();
}

Status SchemeChange::Begin() {
  FENSI_RETURN_IF_ERROR(meta_.LearnIncarnation());
  incarnation_ = meta_.incarnation();
  FENSI_ASSIGN_OR_RETURN(const std::optional<Cell> known, row_.Read("scheme"));
  const std::string text = SchemeText(known);
  if (text == kMirrorScheme) return Taken();
  ours_ = std::string(kMovingFrom) + states_ + std::string(kMovedBy) + RandomName();
  return Replace(known, ours_);
}

Status SchemeChange::CheckStillOwner() const {
  FENSI_ASSIGN_OR_RETURN(const std::optional<Cell> known, row_.Read("scheme"));
  return SchemeText(known) == ours_ ? Status() : Taken();
}

Status SchemeChange::Finish() { return End(kMirrorScheme); }

Status SchemeChange::TakeBack() { return End(states_); }

Status SchemeChange::End(std::string_view scheme) const {
  FENSI_ASSIGN_OR_RETURN(const std::optional<Cell> known, row_.Read("scheme"));
  return SchemeText(known) == ours_ ? Replace(known, std::string(scheme)) : Taken();
}

Result<bool> SchemeChange::HasCommitted() const {
  FENSI_ASSIGN_OR_RETURN(const meta::VersionedMetaRow::Cells cells, row_.ReadAll());
  return std::any_of(cells.begin(), cells.end(), [](const auto& each) { return IsCommitted(each.first, each.second); });
}

Status SchemeChange::Taken() const {
  return Status(
      StatusCode::kFenced,
      "index " + index_->name() + ": another 'fensi convert' is converting the index. Wait until that command ends");
}

Status SchemeChange::Replace(const std::optional<Cell>& known, const std::string& scheme) const {
  FENSI_ASSIGN_OR_RETURN(const std::optional<Cell> definition, row_.Read("definition"));
  if (!definition.has_value()) return Taken();
  FENSI_ASSIGN_OR_RETURN(const int64_t version, row_.NextVersion(*definition));
  const Result<Cell> now =
      row_.Replace("scheme", known, scheme, {MetaRow::CellOf("definition", version, DefinitionText(*index_, scheme))});
  FENSI_RETURN_IF_ERROR(now.status().WithContext("index " + index_->name()));
  return now->value == scheme ? Status() : Taken();
}

}  // namespace fensi::indexer
