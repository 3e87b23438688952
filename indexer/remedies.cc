#include "indexer/remedies.h"

#include "base/bytes.h"

namespace fensi::indexer {
namespace {

/// "'fensi drop MAPPING fensi'".
std::string Line(const char* command, const mapping::Index& index, const char* flags = "") {
  return std::string("'fensi ") + command + " MAPPING " + index.name() + flags + "'";
}

}  // namespace

std::string RebuildRemedy(const mapping::Index& index, const char* build) {
  return std::string(build) + " the index again: " + Line("drop", index, " --execute") +
         ", then 'fensi create MAPPING --execute' and 'fensi run', and " + Line("backfill", index, " --execute") +
         " for rows that are older than the topic. While applications read the index, build the new one beside it "
         "under another name instead ('fensi help redefinition')";
}

std::string BeganWithoutSource(const mapping::Index& index) {
  return "index " + index.name() +
         " began without its source table in the store. With the source there, or in another cluster "
         "(--source_store), " +
         RebuildRemedy(index);
}

std::string ChangedDefinitionRemedy(const mapping::Index& index) {
  return "If the change was not meant, put the former definition back. Else give the new definition another name, "
         "build it beside this one, and let 'fensi switch' lead readers to it "
         "('fensi help redefinition'). If no application reads the index, drop it with the former definition in the "
         "mapping file (" +
         Line("drop", index, " --execute") + "), and with the new one 'fensi create', 'fensi run' and 'fensi backfill'";
}

std::string RepairRemedy(const mapping::Index& index) {
  return Line("verify", index, " --report FILE") + " and " + Line("repair", index, " --from_report FILE --execute");
}

std::string ChangedCellText(const mapping::Index& index, const std::string& key, const std::string& text) {
  return "state table " + index.state_table() + ": row 'fensi', column i:" + Escape(key) + " holds '" + Escape(text) +
         "', which is no number; a person changed it. Restore this cell from a backup of the table, or " +
         RebuildRemedy(index);
}

namespace {

std::string RepairOrRebuild(const mapping::Index& index) {
  return RepairRemedy(index) + ". If the index began without its source table, " + RebuildRemedy(index);
}

}  // namespace

std::string EmptiedRemedy(const mapping::Index& index) {
  return "Bring the entries back from the source with " + RepairOrRebuild(index);
}

std::string MadeAgainText(const mapping::Index& index) {
  return "Table " + index.table() +
         " was dropped and made again, or truncated, and nothing has proved since that the index is what its source "
         "says. Entries of rows that do not change are missing, and events that come again do not bring them back. "
         "Leave 'fensi run' at work. " +
         EmptiedRemedy(index);
}

std::string GapRemedy(const mapping::Index& index) {
  return "Changes are lost to the index, and a replay does not bring them back. " +
         Line("replay", index, " --from earliest --execute") +
         " lets the index continue with the changes that the topic still has. Start 'fensi run', and correct the rows "
         "of the lost changes from the source: " +
         RepairOrRebuild(index);
}

Status WithGapRemedy(const Status& status, const mapping::Index& index) {
  return status.code() == StatusCode::kGap ? status.WithSuffix(". " + GapRemedy(index)) : status;
}

std::string RecreatedText(const mapping::Index& index, const std::string& asked, const std::string& now) {
  return "index " + index.name() + " was dropped and created again meanwhile: this process works for incarnation " +
         asked + ", and state table " + index.state_table() + " has " +
         (now.empty() ? "none" : "incarnation " + Escape(now));
}

std::string TooNewText(const std::string& cell, int64_t time) {
  return cell + " holds a put or a delete marker of time " + std::to_string(time) +
         ", above which fensi cannot put. Delete that version in the HBase shell, then retry this dead letter";
}

std::string NoVersionLeftText(const mapping::Index& index, const std::string& what, int64_t most) {
  return "the versions of the " + what + " have reached " + std::to_string(most) +
         ", because an event had a timestamp near the maximum: fensi cannot apply a later change of the " + what +
         ". Remove that timestamp from the source, then " + RebuildRemedy(index);
}

std::string MissingRemedy(const mapping::Index& index) {
  return "If it is the state table, build the index again, beside this one while applications read it ('fensi help "
         "recovery'). Else 'fensi create MAPPING --execute' makes what is missing, empty, and 'fensi run' starts "
         "again. After the loss of the index table, bring the entries back from the source: " +
         RepairRemedy(index);
}

}  // namespace fensi::indexer
