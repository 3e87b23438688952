#include <algorithm>
#include <optional>

#include "base/text.h"
#include "mapping/instant.h"
#include "operations/console/console.h"
#include "operations/drop/dropping.h"

namespace fensi::operations {
namespace {

std::string EndOfPeriod(int64_t last_millis) { return mapping::FormatInstant(last_millis).value_or("its time"); }

bool MayBeDropped(const ExpiredTable& table) { return table.obstacle.empty(); }

}  // namespace

Status ExpiredDrop::ShowPlan() {
  FENSI_RETURN_IF_ERROR(Find());
  for (const ExpiredTable& table : expired_) PrintTable(table);
  FENSI_RETURN_IF_ERROR(PrintReaders());
  if (!AnyMayBeDropped()) {
    TellNothing();
    return {};
  }
  SayDryRun("drop", "drop these tables",
            "This cannot be undone. Their periods ended longer ago than " + Bound() + ", by the clock of this machine");
  return {};
}

Status ExpiredDrop::Execute() {
  FENSI_RETURN_IF_ERROR(Find());
  for (const ExpiredTable& table : expired_) {
    if (!MayBeDropped(table)) PrintTable(table);
  }
  for (const ExpiredTable& table : expired_) {
    if (!MayBeDropped(table)) continue;
    FENSI_RETURN_IF_ERROR(tables_.Drop(table).WithContext("dropping table " + table.name));
    Print("table " + table.name + ": dropped\n");
  }
  FENSI_RETURN_IF_ERROR(tables_.ForgetOthers(expired_));
  if (!AnyMayBeDropped()) {
    TellNothing();
    return {};
  }
  Say("drop: tables of periods that ended longer ago than " + Bound() + " are gone. Index " + index_->name() +
      " keeps its other tables");
  return {};
}

Status ExpiredDrop::Find() {
  FENSI_RETURN_IF_ERROR(tables_.RequireOwn());
  FENSI_ASSIGN_OR_RETURN(expired_, tables_.Find());
  return {};
}

bool ExpiredDrop::AnyMayBeDropped() const { return std::any_of(expired_.begin(), expired_.end(), MayBeDropped); }

void ExpiredDrop::PrintTable(const ExpiredTable& table) const {
  std::string text = "its period ended with " + EndOfPeriod(table.last_millis);
  if (table.regions) text += ", " + Counted(static_cast<int64_t>(*table.regions), "region");
  if (table.begun) text += ", its drop has begun";
  text += MayBeDropped(table) ? ": to be dropped" : ": left alone: " + table.obstacle;
  Print("table " + table.name + ": " + text + "\n");
}

Status ExpiredDrop::PrintReaders() const {
  if (!AnyMayBeDropped()) return {};
  int64_t last = INT64_MIN;
  for (const ExpiredTable& table : expired_) last = std::max(last, MayBeDropped(table) ? table.last_millis : last);
  FENSI_ASSIGN_OR_RETURN(const std::vector<std::string> aliases, AliasesOf(*index_, store_.get(), options_.meta_table));
  Print(
      "readers: 'fensi lookup' and applications find no entry of these periods any more, the newest of which ended "
      "with " +
      EndOfPeriod(last) + "\n");
  for (const std::string& alias : aliases) {
    Print("  alias " + alias + " names the index, and its readers lose them, too\n");
  }
  return {};
}

void ExpiredDrop::TellNothing() const {
  if (!expired_.empty()) {
    return Say("drop: nothing to do: fensi leaves alone all old tables of index " + index_->name() +
               ", for the reasons above");
  }
  Say("drop: nothing to do: by the clock of this machine, no table of index " + index_->name() +
      " is of a period that ended longer ago than " + Bound());
}

std::string ExpiredDrop::Bound() const { return "'retention: " + KeepText(*index_) + "' and an hour"; }

}  // namespace fensi::operations
