#include <optional>
#include <utility>

#include "base/bytes.h"
#include "indexer/index_meta.h"
#include "mapping/lookup.h"
#include "operations/access/position.h"
#include "operations/console/console.h"
#include "operations/lookup/index_reader.h"

namespace fensi::operations {
namespace {

using mapping::Index;

std::string ReadByText(const Index& index) {
  std::string text = "index " + index.name() + " is read by";
  for (const std::string& part : mapping::KeyPartNames(index)) text += " <" + part + ">";
  return text;
}

/// "now" and "-1d" are times of this moment; as a text such a bound has an escape in it (\x6Eow).
std::string BoundOf(const std::string& typed, Clock* clock) {
  const std::optional<int64_t> ago = ParseAgo(typed, clock->WallMillis());
  return ago ? TimeText(*ago) : *Unescape(typed);
}

Result<mapping::LookupRequest> RequestOf(const Index& index, const TypedLookup& typed, Clock* clock) {
  mapping::LookupRequest request;
  for (const std::string& word : typed.parts) {
    const size_t number = request.parts.size();
    const std::string name = "part " + std::to_string(number + 1);
    Result<std::string> part = mapping::TypedPart(index, number, word);
    if (!part.ok()) return part.status().WithContext(name);
    if (part->empty()) return InvalidArgument(name + " is empty; " + ReadByText(index));
    request.parts.push_back(std::move(*part));
  }
  if (!typed.near.empty()) {
    FENSI_ASSIGN_OR_RETURN(request.area, mapping::Area::Near(typed.near, typed.radius));
  } else if (!typed.box.empty()) {
    FENSI_ASSIGN_OR_RETURN(request.area, mapping::Area::Box(typed.box));
  }
  request.from = BoundOf(typed.from, clock);
  request.to = BoundOf(typed.to, clock);
  return request;
}

}  // namespace

Result<IndexReader> PlanTypedLookup(const Index& index, const TypedLookup& typed, Clock* clock) {
  FENSI_ASSIGN_OR_RETURN(mapping::LookupRequest request, RequestOf(index, typed, clock));
  Result<IndexReader> reader = IndexReader::Plan(index, std::move(request));
  if (!reader.ok()) return reader.status().WithSuffix("; " + ReadByText(index));
  if (!reader->tables().empty()) return reader;
  return InvalidArgument(
      "index " + index.name() +
      " has a table per period, and --from or --to is missing. Give both, as times like 2016-12-19 or as "
      "numbers");
}

Result<std::unique_ptr<store::Store>> OpenTablesToLookUp(const Index& index, const StoreOptions& named,
                                                         bool with_source) {
  std::vector<std::string> sources;
  if (with_source) sources.push_back(index.source_table());
  const StoreOptions options = WithSource(named, std::move(sources));
  Result<std::unique_ptr<store::Store>> store =
      index.table_is_template() ? OpenStoreToReadAny(options) : OpenStoreToRead(options, index.table());
  FENSI_RETURN_IF_ERROR(store.status());
  if (!with_source) return store;
  FENSI_RETURN_IF_ERROR(RequireTable(options, store->get(), index.source_table()).status());
  FENSI_RETURN_IF_ERROR(indexer::IndexMeta(&index, store->get()).CheckSourceStore());
  return store;
}

void WarnOfOtherDefinition(const Index& index, store::Store* store) {
  const indexer::IndexMeta meta(&index, store);
  const Status newer = meta.CheckFormatVersion(), known = meta.Known().status();
  if (newer.code() == StatusCode::kConfiguration) return Say("warning: " + newer.message());
  if (known.code() != StatusCode::kConfiguration) return;
  Say("warning: index " + index.name() +
      " was built by another definition than this mapping file has. fensi may show parts of its keys wrongly, and may "
      "not find entries. Use the mapping file with which the index was built");
}

void TellOfDays(const TypedLookup& typed) {
  for (const auto& [flag, bound] : {std::pair("--from", typed.from), std::pair("--to", typed.to)}) {
    const std::string day = AsDay(bound);
    if (day.empty()) continue;
    Say(std::string("no rows: ") + flag + " " + bound + " was read as a number, not as a day. Write " + flag + " " +
        day);
  }
}

}  // namespace fensi::operations
