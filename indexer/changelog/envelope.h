// Messages in Debezium's form: a key, an envelope with `before` and `after`, and its tombstone. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "indexer/changelog/row_image.h"
#include "mapping/index.h"

namespace fensi::indexer {

/// Where a change comes from.
struct ChangeOrigin {
  std::string_view region;   // encoded name; empty: unknown
  uint64_t sequence_id = 0;  // 0: unknown
  int64_t time = 0;          // of the change, in milliseconds since the epoch; 0: unknown
  bool snapshot = false;     // a scan read the row: no change is known
};

struct RowChange {
  std::string_view row;
  const RowImage* before = nullptr;
  const RowImage* after = nullptr;
  ChangeOrigin origin;
  bool show_before = true;  // false: `before` has the row key alone, as with Debezium's REPLICA IDENTITY DEFAULT
};

/// 'd' if `after` is empty, 'c' or 'r' if only `before` is, else 'u'.
char OperationOf(const RowChange& change);

/// Writes the messages of one index. Owns the texts that are the same in all of them. Immutable.
class EnvelopeWriter {
 public:
  EnvelopeWriter(const mapping::Index& index, std::string version);

  std::string Key(std::string_view row) const;
  /// `now`: the time at which fensi makes the message. `*escaped` grows by the values that are not UTF-8 text.
  std::string Envelope(const RowChange& change, int64_t now, int64_t* escaped) const;

 private:
  /// `image` is null: the row key alone. `side`: "before." or "after.", for the names of escaped fields.
  void AppendImage(std::string_view row, const RowImage* image, const char* side, std::vector<std::string>* escaped,
                   std::string* out) const;
  void AppendSource(const RowChange& change, const std::vector<std::string>& escaped, std::string* out) const;

  const mapping::ChangelogSpec& spec_;
  std::vector<std::string> names_;  // of fields, as JSON with the colon
  std::string key_begin_, key_end_;
  std::string begin_, end_;  // of an envelope
  std::string source_;       // what is the same in each
};

}  // namespace fensi::indexer
