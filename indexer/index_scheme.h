// The text by which an index records its scheme in its row. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/cell.h"
#include "base/status.h"
#include "indexer/state/layout.h"
#include "mapping/index.h"

namespace fensi::indexer {

inline constexpr std::string_view kMirrorScheme = "mirror 1";
inline constexpr std::string_view kStateScheme = "state 1";   // also of an index that does not say it
inline constexpr std::string_view kBucketScheme = "state 2";  // states of source rows lie in buckets
/// Prefix while the index is converted to stateless (indexer/scheme_change.h). After it: the scheme that the index has,
/// kMovedBy, a random name.
inline constexpr std::string_view kMovingFrom = "to mirror 1 from ";
inline constexpr std::string_view kMovedBy = " by ";

struct KnownScheme {
  mapping::Scheme scheme = mapping::Scheme::kState;
  bool moving = false;
  bool buckets = false;
};

/// Absent: this version does not know the scheme.
std::optional<KnownScheme> ParseScheme(std::string_view text);

/// The content of column `scheme`, or what its absence means.
std::string SchemeText(const std::optional<Cell>& scheme);

/// kConfiguration: the index has a scheme that this version does not know.
Status UnknownScheme(const mapping::Index& index, const std::string& scheme);

/// Reads column `buckets`, if the scheme has buckets.
Result<StateLayout> LayoutOf(const mapping::Index& index, const KnownScheme& scheme,
                             const std::optional<Cell>& buckets);

/// " mirror" or nothing. It follows the fingerprint, so that programs that know no schemes refuse the index.
std::string DefinitionText(const mapping::Index& index, std::string_view scheme);

/// The command that converts the index.
std::string ConvertCommandLine(const mapping::Index& index);

}  // namespace fensi::indexer
