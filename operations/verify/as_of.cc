#include <optional>

#include "base/bytes.h"
#include "meta/index_record.h"
#include "meta/versioned_meta_row.h"
#include "operations/access/position.h"
#include "operations/verify/verify_run.h"

namespace fensi::operations {

Status CheckAsOf(const std::string& as_of) {
  if (as_of.empty() || as_of == "watermark" || ParseTime(as_of, "--as_of").ok()) return {};
  return Status(StatusCode::kInvalidArgument,
                "--as_of=" + EscapeSome(as_of, 40) +
                    " is no time. Write watermark, a time such as 2026-01-31T12:00:00Z, or "
                    "milliseconds since 1970");
}

Result<int64_t> AskedAsOf(const std::string& as_of, const mapping::Index& index, const std::string& incarnation,
                          store::Store* store, const std::string& meta_table) {
  if (as_of.empty()) return INT64_MAX;
  if (as_of != "watermark") return ParseTime(as_of, "--as_of");
  const meta::IndexRecord record(meta::VersionedMetaRow(store, meta_table, meta::IndexRow(index.name())));
  const Result<std::optional<meta::IndexState>> state = record.Read();
  if (!state.ok() && state.status().code() != StatusCode::kNotFound) return state.status();
  const bool marked = state.ok() && state->has_value() && !incarnation.empty() &&
                      (*state)->incarnation == incarnation && (*state)->complete;
  if (marked) return *(*state)->complete - 1;  // whatever its source logged before is in the index
  return Status(StatusCode::kConfiguration, "--as_of=watermark: index " + index.name() + " has no watermark in table " +
                                                meta_table +
                                                ". Name a time, such as --as_of=2026-01-31T12:00:00Z. A watermark "
                                                "needs a 'fensi run' that works, and a 'fensi "
                                                "capture' with --watermark_interval_ms");
}

}  // namespace fensi::operations
