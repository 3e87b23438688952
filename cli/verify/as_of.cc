#include "cli/verify/as_of.h"

#include <optional>

#include "base/bytes.h"
#include "cli/access/position.h"
#include "cli/flags/flags.h"
#include "meta/index_record.h"
#include "meta/meta_table.h"

namespace fensi::cli {

Status CheckAsOf() {
  if (FLAGS_as_of.empty() || FLAGS_as_of == "mark" || ParseTime(FLAGS_as_of, "--as_of").ok()) return {};
  return Status(StatusCode::kInvalidArgument, "--as_of=" + EscapeSome(FLAGS_as_of, 40) +
                                                  ": write mark, a time such as 2026-01-31T12:00:00Z, or "
                                                  "milliseconds since 1970");
}

Result<int64_t> AskedAsOf(const mapping::Index& index, const std::string& incarnation, store::Store* store) {
  if (FLAGS_as_of.empty()) return INT64_MAX;
  if (FLAGS_as_of != "mark") return ParseTime(FLAGS_as_of, "--as_of");
  const meta::IndexRecord record(meta::SharedRow(store, FLAGS_meta_table, meta::IndexRow(index.name())));
  const Result<std::optional<meta::IndexState>> state = record.Read();
  if (!state.ok() && state.status().code() != StatusCode::kNotFound) return state.status();
  const bool marked = state.ok() && state->has_value() && !incarnation.empty() &&
                      (*state)->incarnation == incarnation && (*state)->complete;
  if (marked) return *(*state)->complete - 1;  // whatever its source logged before is in the index
  return Status(StatusCode::kConfiguration,
                "--as_of=mark: index " + index.name() + " has no mark in table " + FLAGS_meta_table +
                    ". Name a time, --as_of=2026-01-31T12:00:00Z; marks need a 'fensi run' that works and a 'fensi "
                    "capture' with --mark_ms");
}

}  // namespace fensi::cli
