#include "operations/trial/index_content.h"

#include <algorithm>

#include "operations/access/row_pages.h"

namespace fensi::operations {
namespace {

using mapping::ExpectedCell;

class Observer final : public TrialObserver {
 public:
  explicit Observer(IndexContent* content) : content_(content) {}
  void Written(const std::string& table, const store::RowMutation&) override { content_->tables.push_back(table); }
  void Refused(const consumer::DeadLetter& letter) override { content_->letters.push_back(letter); }

 private:
  IndexContent* const content_;
};

Status ReadTable(store::Store* store, const std::string& table, std::vector<ExpectedCell>* cells) {
  const auto add = [&](const store::Row& row) {
    for (const Cell& cell : row.cells) cells->push_back({table, row.row, cell.family, cell.qualifier, cell.value});
  };
  return ForEachRow(store, table, PrefixScan(""), 0, add).status();
}

}  // namespace

Result<IndexContent> ContentAfter(const std::shared_ptr<const mapping::Index>& index, std::vector<ChangeEvent> events) {
  FENSI_ASSIGN_OR_RETURN(std::unique_ptr<Trial> trial, Trial::Start(index));
  IndexContent content;
  content.trial = std::move(trial);
  Observer observer(&content);
  FENSI_RETURN_IF_ERROR(content.trial->Apply(std::move(events), &observer));
  std::vector<std::string>& tables = content.tables;
  if (!index->table_is_template()) tables.push_back(index->table());
  std::erase(tables, index->state_table());
  std::sort(tables.begin(), tables.end());
  tables.erase(std::unique(tables.begin(), tables.end()), tables.end());
  for (const std::string& table : tables) {
    FENSI_RETURN_IF_ERROR(ReadTable(content.trial->store(), table, &content.cells));
  }
  std::sort(content.cells.begin(), content.cells.end());
  return content;
}

}  // namespace fensi::operations
