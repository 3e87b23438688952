#include "tests/indexer/model/model_history.h"

#include <sstream>
#include <stdexcept>

namespace fensi::testing {
namespace {

std::string TextOf(const ModelCell& cell) {
  std::ostringstream text;
  text << CellTypeName(cell.type) << ":" << cell.qualifier;
  if (cell.type == CellType::kPut) text << "=" << cell.value;
  text << "@-" << cell.age;
  if (cell.ttl > 0) text << "~" << cell.ttl;
  return text.str();
}

std::string TextOf(const ModelStep& step) {
  std::ostringstream text;
  switch (step.kind) {
    case ModelStep::kWait:
      text << "wait " << step.n;
      break;
    case ModelStep::kEvent:
      text << "event " << step.row << " early " << step.early;
      for (const ModelCell& cell : step.cells) text << " " << TextOf(cell);
      break;
    case ModelStep::kTell:
      text << "tell " << step.n << " late " << step.late << " dies_at " << step.dies_at << " after " << step.after
           << " commit " << step.commit;
      break;
    case ModelStep::kAgain:
      text << "again " << step.from << " " << step.n;
      break;
    case ModelStep::kCompactSource:
      text << "compact_source";
      break;
    case ModelStep::kCompactIndex:
      text << "compact_index " << step.purge;
      break;
    case ModelStep::kReopen:
      text << "reopen " << step.reopening << " " << step.unlogged;
      break;
    case ModelStep::kRestart:
      text << "restart";
      break;
    case ModelStep::kConvert:
      text << "convert";
  }
  return text.str();
}

ModelCell ParseCell(const std::string& text) {
  ModelCell cell;
  const size_t colon = text.find(':'), at = text.rfind('@'), ttl = text.find('~', at);
  if (colon == std::string::npos || at == std::string::npos) throw std::logic_error("no cell: " + text);
  bool known = false;
  for (const CellType type : {CellType::kPut, CellType::kDelete, CellType::kDeleteFamilyVersion,
                              CellType::kDeleteColumn, CellType::kDeleteFamily, CellType::kUnknownDelete}) {
    if (text.substr(0, colon) != CellTypeName(type)) continue;
    cell.type = type;
    known = true;
  }
  if (!known) throw std::logic_error("no type of a cell: " + text);
  cell.qualifier = text.substr(colon + 1, at - colon - 1);
  const size_t equals = cell.qualifier.find('=');
  if (equals != std::string::npos) {
    cell.value = cell.qualifier.substr(equals + 1);
    cell.qualifier.resize(equals);
  }
  cell.age = std::stoll(text.substr(at + 2));
  if (ttl != std::string::npos) cell.ttl = std::stoll(text.substr(ttl + 1));
  return cell;
}

void ParseSetting(std::istringstream* words, ModelSetting* setting) {
  *words >> setting->kind;
  for (std::string word; *words >> word;) {
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const int value = std::stoi(word.substr(equals + 1));
    if (name == "source")
      setting->has_source = value != 0;
    else if (name == "source_ttl")
      setting->source_ttl_s = value;
    else if (name == "index_ttl")
      setting->index_ttl_s = value;
    else if (name == "exact")
      setting->exact = value != 0;
    else if (name == "min_versions")
      setting->min_versions = value;
    else if (name == "versions")
      setting->versions = value;
    else if (name == "keep_deleted")
      setting->keep_deleted = value;
    else if (name == "sequence_ids")
      setting->sequence_ids = value != 0;
    else if (name == "read_points")
      setting->read_points = value != 0;
    else
      throw std::logic_error("no attribute of a setting: " + word);
  }
}

ModelStep ParseStep(const std::string& kind, std::istringstream* words) {
  ModelStep step;
  std::string word;
  if (kind == "wait") {
    *words >> step.n;
  } else if (kind == "event") {
    step.kind = ModelStep::kEvent;
    *words >> step.row >> word >> step.early;
    while (*words >> word) step.cells.push_back(ParseCell(word));
  } else if (kind == "tell") {
    step.kind = ModelStep::kTell;
    *words >> step.n >> word >> step.late >> word >> step.dies_at >> word >> step.after >> word >> step.commit;
  } else if (kind == "again") {
    step.kind = ModelStep::kAgain;
    *words >> step.from >> step.n;
  } else if (kind == "compact_source") {
    step.kind = ModelStep::kCompactSource;
  } else if (kind == "compact_index") {
    step.kind = ModelStep::kCompactIndex;
    *words >> step.purge;
  } else if (kind == "reopen") {
    step.kind = ModelStep::kReopen;
    int reopening = 0;
    *words >> reopening >> step.unlogged;
    step.reopening = static_cast<ModelStep::Reopening>(reopening);
  } else if (kind == "restart") {
    step.kind = ModelStep::kRestart;
  } else if (kind == "convert") {
    step.kind = ModelStep::kConvert;
  } else {
    throw std::logic_error("no step of a history: " + kind);
  }
  return step;
}

}  // namespace

std::string ModelHistory::Text() const {
  std::string text = setting.Text() + "\n";
  for (const ModelStep& step : steps) text += TextOf(step) + "\n";
  return text;
}

ModelHistory ModelHistory::Parse(const std::string& text) {
  ModelHistory history;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind;
    if (!(words >> kind) || kind.front() == '#') continue;
    if (kind == "setting") {
      ParseSetting(&words, &history.setting);
    } else {
      history.steps.push_back(ParseStep(kind, &words));
    }
  }
  return history;
}

std::string RowName(int row) { return "r" + std::to_string(row); }

ChangeEvent EventOf(const ModelStep& step, uint64_t sequence_id, int64_t now) {
  ChangeEvent event{.table = "source", .row = RowName(step.row), .sequence_id = sequence_id};
  for (const ModelCell& cell : step.cells) {
    event.cells.push_back({"f", cell.qualifier, now - cell.age, cell.type, cell.value, {}});
    if (cell.ttl > 0) event.cells.back().tags.push_back(MakeTtlTag(cell.ttl));
  }
  return event;
}

}  // namespace fensi::testing
