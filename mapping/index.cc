#include "mapping/index.h"

#include <algorithm>
#include <utility>

#include "mapping/definition/analysis.h"
#include "mapping/definition/checks.h"
#include "mapping/definition/definition.h"
#include "mapping/digest.h"
#include "mapping/engine/derive.h"
#include "mapping/engine/expiry.h"

namespace fensi::mapping {
namespace {

std::vector<Watch> WatchesOf(const IndexDefinition& definition) {
  std::vector<Watch> watches = definition.each.columns;
  for (const Slot& slot : definition.slots) {
    watches.push_back({slot.family, slot.qualifier, Watch::Kind::kColumn, false});
  }
  return watches;
}

}  // namespace

Index::Index(IndexDefinition definition)
    : definition_(std::make_unique<const IndexDefinition>(std::move(definition))),
      unit_(ScopeOf(*definition_)),
      text_(Canonical(*definition_)),
      fingerprint_(Digest(text_)),
      machine_tables_(MachineTables(*definition_)),
      mirror_obstacle_(MirrorObstacle(*definition_)),
      watches_(WatchesOf(*definition_)),
      ends_(std::make_unique<const CellEnds>(*definition_)),
      deriver_(std::make_unique<const Deriver>(*definition_)) {}

Index::~Index() = default;

const std::string& Index::name() const { return definition_->name; }
const std::string& Index::source_table() const { return definition_->source_table; }
const std::string& Index::topic() const { return definition_->topic; }
const std::string& Index::table() const { return definition_->table; }
bool Index::table_is_template() const { return definition_->table_template.has_value(); }
const std::string& Index::state_table() const { return definition_->state_table; }
const std::string& Index::group() const { return definition_->group; }
const std::string& Index::dead_letter_topic() const { return definition_->dead_letter_topic; }
std::string Index::requests_topic() const { return name() + ".requests"; }
Scheme Index::scheme() const { return definition_->scheme; }
bool Index::mirrors_values() const { return MirrorsValues(*definition_); }
bool Index::shared() const { return definition_->shared; }
bool Index::unique() const { return definition_->unique; }
bool Index::expires_exactly() const { return definition_->expire_exactly; }
const CreateSpec& Index::create() const { return definition_->create; }
const ChangelogSpec* Index::changelog() const { return definition_->changelog ? &*definition_->changelog : nullptr; }

bool Index::ends_matter() const { return ends_->matter(); }
bool Index::ends_matter_between_bound() const { return ends_->matter_between_bound(); }
bool Index::all_entries_expire() const { return ends_->all_entries_expire(); }
int64_t Index::EndOf(const VisibleCell& cell) const { return ends_->Of(cell); }

std::optional<int64_t> Index::keep_millis() const {
  if (!definition_->keep_seconds) return std::nullopt;
  return int64_t{*definition_->keep_seconds} * 1000;
}

std::vector<std::string> Index::conditions() const {
  std::vector<std::string> texts;
  for (const Condition& condition : definition_->when) texts.push_back(condition.text);
  return texts;
}

bool Index::Watches(std::string_view family, std::string_view qualifier) const {
  return std::any_of(watches_.begin(), watches_.end(),
                     [&](const Watch& watch) { return Covers(watch, family, qualifier); });
}

bool Index::Names(std::string_view family, std::string_view qualifier) const {
  const std::vector<Slot>& slots = definition_->slots;
  return std::any_of(slots.begin(), slots.end(),
                     [&](const Slot& slot) { return slot.qualifier == qualifier && slot.family == family; });
}

bool Index::WatchesFamily(std::string_view family) const {
  return std::any_of(watches_.begin(), watches_.end(), [&](const Watch& watch) { return watch.family == family; });
}

void Index::Derive(const RowView& row, EntryList* entries, std::vector<Unmappable>* problems) const {
  deriver_->Derive(row, entries, problems);
}

size_t Index::CountIndexCells(std::string_view family, std::string_view qualifier) const {
  size_t count = 0;
  for (size_t i = 0; i < definition_->columns.size(); ++i) {
    const std::optional<size_t> slot = MotherSlot(*definition_, i);
    const bool follows =
        !slot || (definition_->slots[*slot].qualifier == qualifier && definition_->slots[*slot].family == family);
    count += follows ? 1 : 0;
  }
  return count;
}

void Index::DeriveIndexCells(const RowView& row, EntryList* places) const { deriver_->DeriveIndexCells(row, places); }

}  // namespace fensi::mapping
