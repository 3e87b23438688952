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
  return std::string(build) +
         " the index again. While applications read the index, build a second index under another name beside it "
         "('fensi help redefinition'). If no application reads the index: " +
         Line("drop", index, " … --execute") + ", 'fensi create MAPPING … --execute', 'fensi run', and " +
         Line("backfill", index, " … --execute") + " for rows that are older than the topic";
}

std::string BeganWithoutSource(const mapping::Index& index) {
  return "index " + index.name() +
         " began without its source table, so fensi cannot read the source row. With the source table in the store, or "
         "in another cluster (--source_store), " +
         RebuildRemedy(index);
}

std::string MissingSourceText(const mapping::Index& index, const std::string& place) {
  const std::string what = "index " + index.name() + ": source table " + index.source_table() + " is missing";
  if (!place.empty()) {
    return what + " in " + place +
           " (--source_store). Correct --source_store, or 'source:' in the mapping, or create the table";
  }
  return what +
         ", and fensi reads this table for ambiguous events. Correct 'source:' in the mapping, name the cluster of the "
         "table with --source_store, or create the table";
}

std::string UnfollowedLoadText(const mapping::Index& index, const ChangeEvent& load) {
  return "a bulk load brought files into region " + Escape(load.region) + " of table " + index.source_table() +
         ", which begins at row '" + Escape(load.row) + "'. The stream does not have these cells, and the index " +
         (index.shared() ? "is 'shared', so fensi does not read its source table"
                         : "was begun without a readable source table") +
         ". If the load only added rows, and the source table is in the store, run 'fensi backfill MAPPING " +
         index.name() + " --restart --execute'. Otherwise send the loaded cells as events with 'fensi publish'";
}

std::string ChangedDefinitionRemedy(const mapping::Index& index) {
  return "If you did not mean the change, put the former definition back. Otherwise give the new definition another "
         "index name, build this index beside the former one, and move readers to it with 'fensi switch' "
         "('fensi help redefinition'). If no application reads the index: put the former definition back, and enter " +
         Line("drop", index, " … --execute") +
         ". Then put the new definition in, and enter 'fensi create MAPPING … --execute', 'fensi run' and " +
         Line("backfill", index, " … --execute");
}

std::string RepairRemedy(const mapping::Index& index) {
  return Line("verify", index, " … --report FILE") + " and " + Line("repair", index, " … --from_report FILE --execute");
}

namespace {

std::string RecordCell(const mapping::Index& index, const std::string& key) {
  return "state table " + index.state_table() + ": row 'fensi', column i:" + Escape(key);
}

std::string RestoreOrRebuild(const mapping::Index& index) {
  return "Restore this cell from a backup of the table, or " + RebuildRemedy(index);
}

std::string RepairOrRebuild(const mapping::Index& index) {
  return RepairRemedy(index) + ". If the index began without its source table, " + RebuildRemedy(index);
}

}  // namespace

std::string ChangedCellText(const mapping::Index& index, const std::string& key, const std::string& text) {
  return RecordCell(index, key) + " holds '" + Escape(text) +
         "', which is no number. Another program or a person changed it. " + RestoreOrRebuild(index);
}

std::string DeletedCellText(const mapping::Index& index, const std::string& key) {
  return RecordCell(index, key) + " is missing. Another program or a person deleted it. " + RestoreOrRebuild(index);
}

std::string CompareTableRemedy() { return "Compare the table with 'fensi check MAPPING --online --store URL'"; }

std::string EmptiedRemedy(const mapping::Index& index) {
  return "Bring the entries back from the source with " + RepairOrRebuild(index);
}

std::string MadeAgainText(const mapping::Index& index) {
  return "Table " + index.table() +
         " was dropped and created again, or truncated, and no comparison has proved the index since. Entries of rows "
         "that do not change are missing, and a replay does not bring them back. Let 'fensi run' continue. " +
         EmptiedRemedy(index);
}

std::string GapRemedy(const mapping::Index& index) {
  return "Changes are lost to the index, and a replay does not bring them back. First let the index continue with the "
         "changes that the topic still has: " +
         Line("replay", index, " … --from earliest --execute") +
         ". Then start 'fensi run', and correct the rows of the lost changes from the source: " +
         RepairOrRebuild(index);
}

std::string GapRemedyOfAnyTopic(const mapping::Index& index) {
  return "If the error index_stopped in the log of this process names the topic of dead letters or of requests, do "
         "what that error says. Otherwise the stream has lost changes. " +
         GapRemedy(index);
}

Status WithGapRemedy(const Status& status, const mapping::Index& index) {
  return status.code() == StatusCode::kGap ? status.WithSuffix(". " + GapRemedy(index)) : status;
}

std::string RecreatedText(const mapping::Index& index, const std::string& asked, const std::string& now,
                          const std::string& place) {
  return "index " + index.name() +
         (now.empty() ? " was dropped, or its record was deleted" : " was dropped and created again meanwhile") +
         ": this process works for incarnation " + asked + ", and " + place + " has " +
         (now.empty() ? "none" : "incarnation " + Escape(now));
}

std::string RequestsWithoutEffect(const std::string& now) {
  if (!now.empty()) return "The requests of this process have no effect on the new index. Run the same command again";
  return "The requests of this process have no effect. To continue, start 'fensi run' of the index again, then run the "
         "same command again";
}

std::string TooNewText(const std::string& cell, int64_t time) {
  return cell + " holds a put or a delete marker of time " + std::to_string(time) +
         ", above which fensi cannot put. Stop every 'fensi run' of the index. In the HBase shell, delete that "
         "version, set hbase.hstore.time.to.purge.deletes of the table to 0, then enter flush and major_compact. Set "
         "it to 86400000 again, start 'fensi run', and retry this dead letter";
}

std::string NoVersionLeftText(const mapping::Index& index, const std::string& what, int64_t most) {
  return "the versions of the " + what + " have reached " + std::to_string(most) +
         ", because an event had a timestamp near the maximum: fensi cannot apply a later change of the " + what +
         ". Remove that timestamp from the source, then " + RebuildRemedy(index);
}

std::string MissingRemedy(const mapping::Index& index) {
  return "If the state table is missing, build the index again ('fensi help recovery'). While applications read the "
         "index, build a second index beside it. If another table or a topic is missing, create it with 'fensi create "
         "MAPPING … --execute', and start 'fensi run'. The new table or topic is empty. After the loss of the index "
         "table, bring the entries back from the source: " +
         RepairRemedy(index);
}

}  // namespace fensi::indexer
