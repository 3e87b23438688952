// Why an event gives no entry although it should; becomes a dead letter.
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace fensi::indexer {

enum class ReportKind {
  kUndecodable,   // the bytes are no event, or one that cannot be
  kUnmappable,    // the row itself gives no entry: a scan may meet millions
  kRejected,      // the store never takes the cell
  kUnanswerable,  // what was left of the past does not say what is visible, or does not fit
  kOutsideKeep    // its period may not have an entry: a scan may meet millions
};
inline constexpr size_t kReportKinds = 5;
inline constexpr std::array<const char*, kReportKinds> kReportKindNames = {"undecodable", "unmappable", "rejected",
                                                                           "unanswerable", "outside_keep"};

struct Report {
  size_t record = 0;
  std::string reason;
  ReportKind kind = ReportKind::kUnanswerable;

  bool unmappable() const { return kind == ReportKind::kUnmappable || kind == ReportKind::kOutsideKeep; }
};

}  // namespace fensi::indexer
