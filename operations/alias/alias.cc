#include "operations/alias/alias.h"

#include "base/bytes.h"
#include "indexer/index_meta.h"
#include "meta/versioned_meta_row.h"
#include "operations/access/stores.h"
#include "operations/mappings/mapping_files.h"

namespace fensi::operations {

Status CheckAliasName(const std::string& name) {
  constexpr char kGood[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  constexpr size_t kMostBytes = 100, kShown = 40;
  if (!name.empty() && name.size() <= kMostBytes && name.find_first_not_of(kGood) == std::string::npos) return {};
  return Status(StatusCode::kInvalidArgument,
                "'" + EscapeSome(name, kShown) + "' is no alias: write up to 100 letters, digits, '_', '-' and '.'");
}

Result<std::optional<meta::Alias>> ReadAlias(store::Store* store, const std::string& meta_table,
                                             const std::string& name) {
  return meta::AliasRecord(meta::VersionedMetaRow(store, meta_table, meta::AliasRow(name))).Read();
}

Result<std::shared_ptr<const mapping::Index>> NamedIndex(const std::vector<mapping::Mapping>& mappings,
                                                         const std::string& word, const StoreOptions& options) {
  if (!word.starts_with('@')) return OneIndex(mappings, word);
  const std::string name = word.substr(1);
  FENSI_RETURN_IF_ERROR(CheckAliasName(name));
  if (options.url.empty()) {
    return Status(
        StatusCode::kInvalidArgument,
        "--store is missing. Add --store=URL: the meta table of that store says which index alias " + name + " names");
  }
  FENSI_ASSIGN_OR_RETURN(const std::unique_ptr<store::Store> store, OpenStoreToRead(options, options.meta_table));
  FENSI_ASSIGN_OR_RETURN(const std::optional<meta::Alias> alias, ReadAlias(store.get(), options.meta_table, name));
  if (!alias.has_value()) {
    return Status(StatusCode::kConfiguration,
                  "table " + options.meta_table + " has no alias '" + name +
                      "'. Correct the name, --store or --meta_table, or make the alias: 'fensi switch MAPPING " + name +
                      " --to INDEX --from_report FILE --execute'");
  }
  auto index = OneIndex(mappings, alias->current.index);
  const std::string names = "alias " + name + " names index " + Escape(alias->current.index);
  if (!index.ok()) return index.status().WithContext(names);
  // The reader reports tables that are missing, or have another definition.
  const auto begun = indexer::IndexMeta(index->get(), store.get()).Known();
  const bool known = begun.ok() && begun->has_value() && !(*begun)->incarnation.empty();
  // M22: readers must not follow an alias to a later index of the same name.
  if (!known || alias->current.incarnation.empty() || (*begun)->incarnation == alias->current.incarnation) {
    return index;
  }
  return Status(StatusCode::kConfiguration,
                names + " as it was before the index was dropped and created again. Run 'fensi verify MAPPING " +
                    Escape(alias->current.index) + " --report FILE', then 'fensi switch MAPPING " + name + " --to " +
                    Escape(alias->current.index) + " --from_report FILE --execute'");
}

}  // namespace fensi::operations
