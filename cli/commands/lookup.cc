#include <chrono>
#include <memory>
#include <utility>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/counted.h"
#include "cli/access/position.h"
#include "cli/access/stores.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/mappings/mapping_files.h"
#include "cli/program/output.h"
#include "cli/reading/answer_watch.h"
#include "cli/reading/cell_text.h"
#include "cli/reading/index_reader.h"
#include "cli/reading/pager.h"
#include "cli/reading/shown_cells.h"
#include "cli/reading/source_join.h"
#include "cli/redefinition/alias.h"
#include "indexer/index_meta.h"

namespace fensi::cli {
namespace {

using mapping::Index;
using mapping::KnownPart;

std::string Usage(const Index& index) {
  std::string text = "index " + index.name() + " is read by";
  for (const std::string& part : mapping::KeyPartNames(index)) text += " <" + part + ">";
  return text;
}

/// Bytes as \\xNN are the part's bytes; without any, digits may be a number.
Result<std::string> PartOf(const Index& index, size_t part, const std::string& typed) {
  Result<std::string> bytes = Unescape(typed);
  if (!bytes.ok() || *bytes != typed) return bytes;
  return mapping::PartBytes(index, part, typed);
}

/// "now" and "-1d" are times of this moment; as a text such a bound has an escape in it (\\x6Eow).
std::string BoundOf(const std::string& typed) {
  const std::optional<int64_t> ago = ParseAgo(typed, SystemClock()->WallMillis());
  return ago ? TimeText(*ago) : *Unescape(typed);
}

Result<mapping::LookupRequest> RequestOf(const Index& index, const Arguments& arguments) {
  mapping::LookupRequest request;
  for (size_t i = 2; i < arguments.size(); ++i) {
    Result<std::string> part = PartOf(index, i - 2, arguments[i]);
    if (!part.ok()) return part.status().WithContext("part " + std::to_string(i - 1));
    if (part->empty()) {
      return Status(StatusCode::kInvalidArgument, "part " + std::to_string(i - 1) + " is empty; " + Usage(index));
    }
    request.parts.push_back(std::move(*part));
  }
  request.from = BoundOf(FLAGS_from);
  request.to = BoundOf(FLAGS_to);
  return request;
}

Result<IndexReader> ReaderOf(const Index& index, const Arguments& arguments) {
  Result<mapping::LookupRequest> request = RequestOf(index, arguments);
  if (!request.ok()) return request.status();
  Result<IndexReader> reader = IndexReader::Plan(index, std::move(*request));
  if (!reader.ok()) return Status(reader.status().code(), reader.status().message() + "; " + Usage(index));
  if (!reader->tables().empty()) return reader;
  return Status(StatusCode::kInvalidArgument,
                "index " + index.name() + " has one table per period: choose them with --from and --to");
}

/// Where the row key is one value as it is, there is nothing to explain about it.
bool SpeaksForItself(const Index& index, const store::Row& row, const std::vector<KnownPart>& known) {
  const std::vector<std::string> names = mapping::KeyPartNames(index);
  if (names.size() != 1) return false;
  for (const KnownPart& part : known) {
    if (part.name == names[0]) return part.value == row.row;
  }
  return false;
}

/// What the row key was made of, where it does not say so itself.
std::string MadeOf(const Index& index, const store::Row& row, const std::vector<KnownPart>& known) {
  if (SpeaksForItself(index, row, known)) return "";
  std::string text;
  for (const KnownPart& part : known) {
    text += (text.empty() ? "" : ", ") + part.name + (part.exact ? "=" : "~") + PartText(index, part);
  }
  return text;
}

/// The column's value as lines show it: "f1:from=b".
std::string CellsText(const store::Row& row) {
  std::string text;
  int64_t shown = 0;
  for (const Cell& cell : row.cells) {
    if (FLAGS_max_cells != 0 && ++shown > FLAGS_max_cells) return text + ", …";
    text += (text.empty() ? "" : ", ") + ColumnText(cell.family, cell.qualifier) + "=" + Escape(cell.value);
  }
  return text;
}

/// "a: f1:from=b", and whether it is that no more.
std::string SourceText(const JoinedEntry& joined) {
  if (joined.source == nullptr) return "not told";
  const std::string row = Escape(joined.source->row);
  if (joined.source->cells.empty()) return "STALE " + row + " is gone";
  const char* mark = joined.agrees == false ? "STALE " : (joined.agrees ? "" : "too large to tell ");
  return mark + row + ": " + CellsText(*joined.source);
}

/// Reads an answer and hands its cells to a printer.
class Answer {
 public:
  Answer(const Index& index, const IndexReader& reader) : index_(index), reader_(reader) {}

  Result<int64_t> Read(store::Store* store, ShownCells* cells) {
    if (FLAGS_source_rows) return ReadJoined(store, cells);
    return reader_.Read(store, FLAGS_max_rows, [&](const std::string& table, const store::Row& row, const auto& known) {
      if (cells->Wants(row.row)) Show(table, row, known, nullptr, cells);
    });
  }
  /// Entries of the last answer whose source does not agree.
  int64_t stale() const { return stale_; }

 private:
  Result<int64_t> ReadJoined(store::Store* store, ShownCells* cells) {
    Status joined;
    SourceJoin join(&index_, store, [&](const JoinedEntry& joined_entry) {
      Show(*joined_entry.table, *joined_entry.entry, *joined_entry.known, &joined_entry, cells);
    });
    const Result<int64_t> rows =
        reader_.Read(store, FLAGS_max_rows, [&](const std::string& table, const store::Row& row, const auto& known) {
          if (joined.ok() && cells->Wants(row.row)) joined = join.Add(table, row, known);
        });
    FENSI_RETURN_IF_ERROR(rows.status());
    if (joined.ok()) joined = join.Finish();
    stale_ = join.stale();
    return joined.ok() ? rows : Result<int64_t>(joined);
  }

  /// `joined`: null unless the source rows were asked for.
  void Show(const std::string& table, const store::Row& row, const std::vector<KnownPart>& known,
            const JoinedEntry* joined, ShownCells* cells) {
    CellPrinter* printer = cells->printer();
    if (printer->takes_json()) {
      std::string line = DecodedCellJson(index_, row.row, row.cells[0], known);
      if (joined != nullptr) AddSourceJson(joined->source, joined->agrees, &line);
      return printer->AddJson(line);
    }
    std::vector<std::string> more;
    const std::string made_of = MadeOf(index_, row, known);
    if (joined != nullptr) {
      more = {made_of, SourceText(*joined)};
    } else if (!made_of.empty()) {
      more = {made_of};
    }
    printer->Add(table, row.row, row.cells[0], std::move(more));
  }

  const Index& index_;
  const IndexReader& reader_;
  int64_t stale_ = 0;
};

/// A mapping that is not the one of the index reads keys for what they are not. Who may not read states is not told.
void WarnOfOtherDefinition(const Index& index, store::Store* store) {
  const indexer::IndexMeta meta(&index, store);
  const Status newer = meta.CheckNotNewer(), known = meta.Known().status();
  if (newer.code() == StatusCode::kConfiguration) return Say("warning: " + newer.message());
  if (known.code() != StatusCode::kConfiguration) return;
  Say("warning: index " + index.name() +
      " was built by another definition than this file has: parts of its keys may be shown wrong, and entries not be "
      "found");
}

Status CheckAnswerFlags() {
  FENSI_RETURN_IF_ERROR(ShownCells::ByFlags(false, {}).status());
  if (FLAGS_source_rows && FLAGS_count) return InvalidArgument("--count shows no rows: leave out --source_rows");
  if (FlagIsTyped("interval_s") && !FLAGS_watch) {
    return InvalidArgument("--interval_s belongs to --watch, which is not given");
  }
  if (!FLAGS_watch) return {};
  if (FLAGS_count) return InvalidArgument("--watch shows what changes: leave out --count");
  if (!FLAGS_format.empty() && FLAGS_format != "tsv" && FLAGS_format != "jsonl") {
    return InvalidArgument("--watch shows lines as long as it goes on: --format=tsv or --format=jsonl");
  }
  return {};
}

/// What looks like a day may be a number or a text: who meant the day learns why nothing came.
void TellOfDays() {
  for (const auto& [flag, typed] : {std::pair{"--from", FLAGS_from}, std::pair{"--to", FLAGS_to}}) {
    const std::string day = AsDay(typed);
    if (!day.empty())
      Say(std::string("no rows: ") + flag + " " + typed + " was not taken as a day; write " + flag + " " + day);
  }
}

Result<int> ShowOnce(Answer* answer, const Index& index, store::Store* store) {
  std::vector<std::string> more;
  if (FLAGS_source_rows || mapping::KeyPartNames(index).size() > 1) more = {"MADE OF"};
  if (FLAGS_source_rows) more.emplace_back("SOURCE");
  Result<ShownCells> cells = ShownCells::ByFlags(false, std::move(more));
  FENSI_RETURN_IF_ERROR(cells.status());
  Pager pager(!FLAGS_no_pager && !FLAGS_count);
  const auto heard = store->Guarded(FinishOutput);  // who reads the pipe may go long before the last row
  const Result<int64_t> rows = answer->Read(heard.get(), &*cells);
  const Status shown = cells->Finish(rows);
  if (rows.ok() && *rows == 0) TellOfDays();
  const Result<int> outcome = pager.End(shown.ok() ? Result<int>(kExitDone) : shown);
  if (outcome.ok() && answer->stale() > 0) {
    Say(WithCommas(answer->stale()) + (answer->stale() == 1 ? " entry" : " entries") +
        " with a source row that does not say so (STALE): the index follows its source in a moment, or 'fensi verify' "
        "tells what is wrong");
  }
  return outcome;
}

/// Of a period table any may be missing; of others the table must be there.
Result<std::unique_ptr<store::Store>> OpenFor(const Index& index) {
  Result<std::unique_ptr<store::Store>> store =
      index.table_is_template() ? OpenStoreToReadAny() : OpenStoreToRead(index.table());
  FENSI_RETURN_IF_ERROR(store.status());
  if (FLAGS_source_rows) FENSI_RETURN_IF_ERROR(RequireTable(store->get(), index.source_table()).status());
  return store;
}

/// Without end: nothing is in hand that a signal would have to wait for.
Result<int> ShowChanges(Answer* answer, const Index& index, std::unique_ptr<store::Store> store) {
  const bool json = FLAGS_json || FLAGS_format == "jsonl";
  AnswerWatch watch(json);
  while (true) {
    ShownCells cells = ShownCells::Into(json ? CellForm::kJsonLines : CellForm::kTabs,
                                        [&watch](std::string_view line) { watch.Add(line); });
    const auto wanted = watch.WhileWanted(store.get());
    FENSI_RETURN_IF_ERROR(answer->Read(wanted.get(), &cells).status());
    FENSI_RETURN_IF_ERROR(watch.Show());
    SystemClock()->Sleep(std::chrono::seconds(FLAGS_interval_s));
    if (!StoreIsEmbedded(FLAGS_store)) continue;
    // One that is open shows what it had then.
    Result<std::unique_ptr<store::Store>> again = OpenFor(index);
    FENSI_RETURN_IF_ERROR(again.status());
    store = std::move(*again);
  }
}

Result<int> Lookup(const Arguments& arguments) {
  FENSI_RETURN_IF_ERROR(CheckAnswerFlags());
  const Result<std::vector<mapping::Mapping>> mappings = LoadMappings({arguments[0]});
  if (!mappings.ok()) return mappings.status();
  const auto index = NamedIndex(*mappings, arguments[1]);
  if (!index.ok()) return index.status();
  const Result<IndexReader> reader = ReaderOf(**index, arguments);
  if (!reader.ok()) return reader.status();
  if (FLAGS_print_scan) {
    Print(reader->ShellCommands());
    return kExitDone;
  }
  if (FLAGS_store.empty()) {
    return Status(StatusCode::kInvalidArgument, "--store is missing (or --print_scan, to see what would be read)");
  }
  Result<std::unique_ptr<store::Store>> store = OpenFor(**index);
  if (!store.ok()) return store.status();
  WarnOfOtherDefinition(**index, store->get());
  Answer answer(**index, *reader);
  return FLAGS_watch ? ShowChanges(&answer, **index, std::move(*store)) : ShowOnce(&answer, **index, store->get());
}

}  // namespace

Command LookupCommand() {
  Command command;
  command.name = "lookup";
  command.summary = "read an index as an application would";
  command.arguments = "MAPPING INDEX|@ALIAS PART…";
  command.min_arguments = 2;
  command.max_arguments = kAnyNumber;
  command.description =
      "Encodes the parts by the row template of the index (its references in order of first use; the later ones may be "
      "left out), reads the entries whose row key begins so, from every salt, and leaves out what belongs to other "
      "parts: an entry fits when its row key holds what the template makes of the given values. --from (inclusive) and "
      "--to (exclusive) bound the part that comes next, as numbers or times such as 2016-12-19, "
      "2016-12-19T08:00+08:00, now or -1d (a day "
      "ago); of a period table they "
      "bound the time that its tables are named after, and choose the tables. Where only a unit of the value is known, "
      "whatever parts of the key and columns are read together (the hour of a time), all of the unit is shown. More is "
      "read than shown where the order of the keys is not that "
      "of the values; where the keys do not tell what fits, the lookup is refused. Printed are row, column, timestamp "
      "and value, and what the key was made of as far as it can be read back ('~', in JSON \"inexact\": one of several "
      "values that give this key). A number that the source holds in bytes (| i64) is given and shown in digits. "
      "'fensi "
      "check' shows the parts of an index. Bytes may be given as \\xNN. @ALIAS is the index that applications read by "
      "that "
      "name ('fensi switch'). --source_rows reads the source row of each entry, too, and marks entries (STALE) whose "
      "row "
      "does not say so: the index lags, or is wrong. --watch reads the answer again and again and prints what came (+) "
      "and "
      "went (-), until Ctrl-C; of an answer of more than 100,000 cells or 64 MiB no more is read, and it is refused. "
      "On a terminal a long answer goes through $PAGER, which is a line of the shell, or less.";
  command.flags = {{"store"},       {"from"},     {"to"},         {"print_scan"},
                   {"format"},      {"bytes"},    {"json"},       {"max_cells"},
                   {"count"},       {"max_rows"}, {"meta_table"}, {"connect_timeout_s"},
                   {"source_rows"}, {"watch"},    {"interval_s"}, {"no_pager"}};
  command.examples = {
      {"fensi lookup guanzhu.yaml fensi b --store embedded:data", "who follows b"},
      {"fensi lookup orders.yaml orders-by-seller s900 --from 2016-12-19 --to 2016-12-20 --store "
       "hbase://127.0.0.1:9090",
       "the orders of one day"},
      {"fensi lookup guanzhu.yaml fensi b --count --store embedded:data", "whether anybody does: 1 row or 0"},
      {"fensi lookup guanzhu.yaml fensi b --source_rows --store hbase://127.0.0.1:9090",
       "with what the rows of these followers say now"},
      {"fensi lookup guanzhu.yaml fensi b --watch --store hbase://127.0.0.1:9090", "who comes and who goes"},
      {"fensi lookup guanzhu.yaml @fans b --store hbase://127.0.0.1:9090", "from the index that alias fans names"},
      {"fensi lookup orders.yaml orders-by-seller s900 --print_scan", "the same scan for the HBase shell"}};
  command.run = Lookup;
  return command;
}

}  // namespace fensi::cli
