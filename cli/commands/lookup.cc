#include "base/bytes.h"
#include "base/clock.h"
#include "cli/access/position.h"
#include "cli/access/stores.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/mappings/mapping_files.h"
#include "cli/program/output.h"
#include "cli/reading/cell_text.h"
#include "cli/reading/index_reader.h"
#include "cli/reading/shown_cells.h"
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

void ShowCell(const Index& index, const store::Row& row, const std::vector<KnownPart>& known, ShownCells* cells) {
  if (!cells->Wants(row.row)) return;
  CellPrinter* printer = cells->printer();
  if (printer->takes_json()) return printer->AddJson(DecodedCellJson(index, row.row, row.cells[0], known));
  printer->Add(row.row, row.cells[0], MadeOf(index, row, known));
}

/// A mapping that is not the one of the index reads keys for what they are not. Who may not read states is not told.
void WarnOfOtherDefinition(const Index& index, store::Store* store) {
  const Status known = indexer::IndexMeta(&index, store).Known().status();
  if (known.code() != StatusCode::kConfiguration) return;
  Say("warning: index " + index.name() +
      " was built by another definition than this file has: parts of its keys may be shown wrong, and entries not be "
      "found");
}

Result<int> Lookup(const Arguments& arguments) {
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
  Result<ShownCells> cells = ShownCells::ByFlags(false, mapping::KeyPartNames(**index).size() > 1);
  if (!cells.ok()) return cells.status();
  // Of a period table any may be missing; of others the table must be there.
  const Result<std::unique_ptr<store::Store>> store =
      (*index)->table_is_template() ? OpenStoreToReadAny() : OpenStoreToRead((*index)->table());
  if (!store.ok()) return store.status();
  WarnOfOtherDefinition(**index, store->get());
  const auto heard = (*store)->Guarded(FinishOutput);  // who reads the pipe may go long before the last row
  const Result<int64_t> rows = reader->Read(heard.get(), FLAGS_max_rows, [&](const store::Row& row, const auto& known) {
    ShowCell(**index, row, known, &*cells);
  });
  FENSI_RETURN_IF_ERROR(cells->Finish(rows));
  return kExitDone;
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
      "name ('fensi switch').";
  command.flags = {{"store"}, {"from"},      {"to"},    {"print_scan"}, {"format"},     {"bytes"},
                   {"json"},  {"max_cells"}, {"count"}, {"max_rows"},   {"meta_table"}, {"connect_timeout_s"}};
  command.examples = {
      {"fensi lookup guanzhu.yaml fensi b --store embedded:data", "who follows b"},
      {"fensi lookup orders.yaml orders-by-seller s900 --from 2016-12-19 --to 2016-12-20 --store "
       "hbase://127.0.0.1:9090",
       "the orders of one day"},
      {"fensi lookup guanzhu.yaml fensi b --count --store embedded:data", "whether anybody does: 1 row or 0"},
      {"fensi lookup guanzhu.yaml @fans b --store hbase://127.0.0.1:9090", "from the index that alias fans names"},
      {"fensi lookup orders.yaml orders-by-seller s900 --print_scan", "the same scan for the HBase shell"}};
  command.run = Lookup;
  return command;
}

}  // namespace fensi::cli
