#include "base/bytes.h"
#include "cli/cell_text.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/mapping_files.h"
#include "cli/output.h"
#include "cli/row_pages.h"
#include "cli/stores.h"

namespace fensi::cli {
namespace {

using mapping::Index;

std::string Usage(const Index& index) {
  std::string text = "index " + index.name() + " is read by";
  for (const std::string& part : index.key_parts()) text += " <" + part + ">";
  return text;
}

Result<Index::KeyPrefix> KeyOf(const Index& index, const Arguments& arguments) {
  std::vector<std::string> parts;
  for (size_t i = 2; i < arguments.size(); ++i) {
    Result<std::string> part = Unescape(arguments[i]);
    if (!part.ok()) return part.status().WithContext("part " + std::to_string(i - 1));
    parts.push_back(std::move(*part));
  }
  Result<Index::KeyPrefix> key = index.EncodeKey(parts);
  if (key.ok()) return key;
  return Status(key.status().code(), key.status().message() + "; " + Usage(index));
}

void PrintRow(const store::Row& row) { Print(RowText(row, FLAGS_json, false)); }

Status PrintEntries(const Index& index, const Index::KeyPrefix& key) {
  const Result<std::unique_ptr<store::Store>> store = OpenStoreToRead(index.table());
  if (!store.ok()) return store.status();
  int64_t left = FLAGS_max_rows;
  for (const std::string& prefix : key.prefixes) {
    const store::ScanRequest request = key.complete ? RowScan(prefix) : PrefixScan(prefix);
    const Result<int64_t> rows = ForEachRow(store->get(), index.table(), request, left, PrintRow);
    if (!rows.ok()) return rows.status();
    if (FLAGS_max_rows != 0 && (left -= *rows) == 0) break;
  }
  return Status();
}

Result<int> Lookup(const Arguments& arguments) {
  const Result<std::vector<mapping::Mapping>> mappings = LoadMappings({arguments[0]});
  if (!mappings.ok()) return mappings.status();
  const auto index = OneIndex(*mappings, arguments[1]);
  if (!index.ok()) return index.status();
  if ((*index)->table_is_template()) {
    return Status(StatusCode::kInvalidArgument,
                  "index " + arguments[1] + " has one table per period; read one of them with 'fensi scan'");
  }
  const Result<Index::KeyPrefix> key = KeyOf(**index, arguments);
  if (!key.ok()) return key.status();
  FENSI_RETURN_IF_ERROR(PrintEntries(**index, *key));
  return kExitDone;
}

}  // namespace

Command LookupCommand() {
  Command command;
  command.name = "lookup";
  command.summary = "read an index as an application would";
  command.arguments = "MAPPING INDEX PART…";
  command.min_arguments = 2;
  command.max_arguments = kAnyNumber;
  command.description =
      "Encodes the parts by the row template of the index (its references in order of first use; the later ones may be "
      "left out) and prints the entries whose row key begins so: row, column, timestamp, value. 'fensi check' shows "
      "the "
      "parts of an index. Bytes may be given as \\xNN.";
  command.flags = {{"store", true}, {"json"}, {"max_rows"}, {"connect_timeout_s"}};
  command.examples = {{"fensi lookup guanzhu.yaml fensi b --store embedded:data", "who follows b"}};
  command.run = Lookup;
  return command;
}

}  // namespace fensi::cli
