#include "indexer/index_scheme.h"

#include "base/bytes.h"
#include "indexer/remedies.h"

namespace fensi::indexer {

std::optional<KnownScheme> ParseScheme(std::string_view text) {
  KnownScheme known;
  if (text.starts_with(kMovingFrom)) {
    known.moving = true;
    text.remove_prefix(kMovingFrom.size());
    text = text.substr(0, text.find(kMovedBy));
  }
  if (text == kMirrorScheme && !known.moving) {
    known.scheme = mapping::Scheme::kStateless;
  } else if (text == kBucketScheme) {
    known.buckets = true;
  } else if (text != kStateScheme) {
    return std::nullopt;
  }
  return known;
}

std::string SchemeText(const std::optional<Cell>& scheme) {
  return scheme.has_value() ? scheme->value : std::string(kStateScheme);
}

Status UnknownScheme(const mapping::Index& index, const std::string& scheme) {
  return Status(StatusCode::kConfiguration, "index " + index.name() + " has the stored mode '" + Escape(scheme) +
                                                "', which this version does not know. Use the version of fensi that "
                                                "began the index, or " +
                                                RebuildRemedy(index));
}

Result<StateLayout> LayoutOf(const mapping::Index& index, const KnownScheme& scheme,
                             const std::optional<Cell>& buckets) {
  StateLayout layout;
  if (!scheme.buckets) return layout;
  for (int bits = 0; bits <= kMostBucketBits; ++bits) {
    if (buckets.has_value() && buckets->value == std::to_string(1 << bits)) layout.bucket_bits = bits;
  }
  if (layout.buckets()) return layout;
  return Status(StatusCode::kInternal,
                "state table " + index.state_table() + ": row 'fensi', column i:buckets holds '" +
                    (buckets.has_value() ? Escape(buckets->value) : "") + "' as the number of buckets of index " +
                    index.name() + ", which is not a power of 2 up to " + std::to_string(1 << kMostBucketBits) +
                    ". Another program or a person changed it. Restore this cell from a backup of the table, or " +
                    RebuildRemedy(index));
}

std::string DefinitionText(const mapping::Index& index, std::string_view scheme) {
  const bool marked = scheme == kMirrorScheme || scheme.starts_with(kMovingFrom);
  return index.fingerprint() + (marked ? " mirror" : "") + "\n" + index.definition();
}

std::string ConvertCommandLine(const mapping::Index& index) {
  return "fensi convert MAPPING " + index.name() + " … --execute";
}

}  // namespace fensi::indexer
