// Writes the output of `fensi verify`: lines for people or JSON to standard output, and a report to a file. A report
// without its last line, the summary, is incomplete.
//
// Blocks on the file and on the reader of the pipe; one thread. A line that could not be written is an error at once.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "mapping/index.h"
#include "store/store.h"
#include "sweep/compare/comparison.h"
#include "sweep/compare/finding.h"

namespace fensi::operations {

/// One line.
std::string TextOfFinding(const sweep::Finding& finding);

/// The file of a report, besides standard output.
class ReportFile {
 public:
  /// No path: no file. kInvalidArgument: it exists already, and may not be replaced.
  static Result<ReportFile> Open(const std::string& path, bool overwrite);

  bool given() const { return file_ != nullptr; }
  Status Write(const std::string& line);
  /// Syncs everything to the disk.
  Status Close();

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  Status Failed() const;

  std::string path_;
  std::unique_ptr<std::FILE, CloseFile> file_;
};

class VerifyReport final : public sweep::FindingSink {
 public:
  /// `json`: standard output gets the report, too. `index` and `clock` outlive it.
  VerifyReport(const mapping::Index* index, ReportFile file, bool json, Clock* clock)
      : index_(index), file_(std::move(file)), json_(json), clock_(clock) {}

  struct Compared {
    std::string incarnation;                         // of the index; empty: not begun
    std::optional<store::TableIdentity> table = {};  // of the index; absent: unknown
    std::optional<int64_t> began = {};               // milliseconds since the epoch; absent: now
  };
  Status Begin(const sweep::CompareOptions& options, const Compared& compared);
  Status Add(const sweep::Finding& finding) override;
  /// `end`: how the comparison ended; not ok: the report is incomplete, with the reason.
  Status End(const sweep::Counts& counts, const Status& end);

 private:
  /// Writes to the file and, as `text` for people, to standard output.
  Status Tell(const std::string& line, const std::string& text);

  const mapping::Index* const index_;
  ReportFile file_;
  const bool json_;
  Clock* const clock_;
  int64_t findings_ = 0;
};

}  // namespace fensi::operations
