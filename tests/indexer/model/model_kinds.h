// The kinds of indexes that the model tries: a mapping, and by hand the entries that a source row gives.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/cell.h"
#include "mapping/index.h"

namespace fensi::testing {

/// The visible cells of family f of a source row, by qualifier.
struct ShownValue {
  std::string value;
  int64_t timestamp;
};
using ShownRow = std::map<std::string, ShownValue>;

/// An index cell, and the time of the newest source cell that it came from.
struct DerivedEntry {
  std::string cell;  // "TABLE ROW family:qualifier"
  std::string value;
  int64_t newest;
};

struct ModelKind {
  std::string name;
  std::string body;  // YAML of the index, indented by four
  std::function<void(const std::string& row, const ShownRow& shown, std::vector<DerivedEntry>* entries)> derive;
  std::string table = "inverse";
  std::vector<std::string> watched = {};  // columns that the index depends on; empty: all
  bool unique = false;                    // one source row gives a cell at a time
  bool shared = false;                    // several rows may give one cell
  bool stateless = false;                 // `mode: stateless`
  bool converted = false;                 // begins with states, becomes stateless
  bool column_units = false;    // an entry depends on one column of the source row, and on nothing else that changes
  bool absence_counts = false;  // `default`, `not`, `or`: the end of a cell may bring an entry
};

bool Watches(const ModelKind& kind, const Cell& cell);

const std::vector<ModelKind>& AllKinds();
/// Throws when there is none.
const ModelKind& KindNamed(const std::string& name);

/// Attributes of the tables that change what must be shown.
struct ModelSetting {
  std::string kind = "row";
  bool has_source = true;    // fensi can read the source table
  int source_ttl_s = 0;      // 0: none
  int index_ttl_s = 0;       // 0: none
  bool exact = false;        // `expire: exact`
  int min_versions = 0;      // of source and index
  int versions = 100;        // of the source
  int keep_deleted = 0;      // of the source: 0 FALSE, 1 TRUE, 2 TTL
  bool sequence_ids = true;  // of the stream
  bool read_points = false;  // reads of the source tell them
  bool operator==(const ModelSetting&) const = default;
  std::string Text() const;
};

/// The compiled mapping. Null: fensi refuses it.
std::shared_ptr<const mapping::Index> IndexOf(const ModelSetting& setting);
/// Of a kind that is converted: the index as it begins, with states.
std::shared_ptr<const mapping::Index> IndexBeforeOf(const ModelSetting& setting);

}  // namespace fensi::testing
