// Reads the targets of a repair from a report of `fensi verify`.
//
// Blocks on the file system; one thread. The file is read once for each use, a line at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "consumer/file/line_reader.h"
#include "mapping/index.h"
#include "operations/repair/targets.h"
#include "store/store.h"

namespace fensi::operations {

/// The expected subject of a report.
struct ReportOf {
  const mapping::Index* index = nullptr;
  std::string incarnation;
  bool partial = false;  // it may lack its end
};

class ReportTargets final : public TargetList {
 public:
  /// Reads all of it. kConfiguration names file and line: no report, one of another index or incarnation, or an
  /// incomplete one.
  static Result<std::unique_ptr<ReportTargets>> Open(const std::string& path, ReportOf of);

  Status ForEach(const Use& use) override;

  /// The index table of which the report names all differences; absent: it covers a part of the rows, or does not
  /// identify the table.
  const std::optional<store::TableIdentity>& whole_table() const { return whole_table_; }

 private:
  ReportTargets(std::string path, ReportOf of, std::unique_ptr<consumer::LineReader> lines)
      : path_(std::move(path)), of_(std::move(of)), lines_(std::move(lines)) {}
  Status TakeAll(const Use& use);
  Status TakeLine(std::string_view line, const Use& use);
  Status Broken(const std::string& why) const;

  const std::string path_;
  const ReportOf of_;
  const std::unique_ptr<consumer::LineReader> lines_;
  int64_t line_ = 0;
  std::optional<store::TableIdentity> whole_table_;
  enum class Place { kBeginning, kFindings, kBehindSummary } place_ = Place::kBeginning;
};

}  // namespace fensi::operations
