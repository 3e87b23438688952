// What the capture has to tell a person while it works. The library says it, the program decides how it is shown.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/words.h"

namespace fensi::capture {

enum class Severity {
  kInfo,
  kWarning,
  kAlarm,  // rows may be missing downstream until a person acts
};

/// The order is that of kNoticeRules.
enum class NoticeKind {
  kRegistered,
  kNotRegistered,
  kMarksTold,
  kMarksLate,
  kServerConnected,
  kConnectionRefused,
  kServerRefused,
  kConnectionClosed,
  kNotAcknowledged,
  kNothingAcknowledged,
  kUnreadableCall,
  kLargeCell,
  kLargeCellExpected,
  kBulkLoad,
  kOtherTable,
  kDroppedTable,
  kLabelledTable,
  kProducerRenewed,
  kNoHeartbeat,
  kCertificateRenewed,
  kCertificateKept,
  kTopicLost,
};

struct NoticeRule {
  std::string_view event;  // as the log names it: docs/logs.md
  Severity severity;
};

inline constexpr std::array<NoticeRule, 22> kNoticeRules = {
    {{"registered_again", Severity::kInfo},        {"not_registered", Severity::kWarning},
     {"marks_told_again", Severity::kInfo},        {"marks_late", Severity::kWarning},
     {"region_server_connected", Severity::kInfo}, {"connection_refused", Severity::kWarning},
     {"region_server_refused", Severity::kAlarm},  {"connection_closed", Severity::kWarning},
     {"not_acknowledged", Severity::kWarning},     {"nothing_acknowledged", Severity::kAlarm},
     {"unreadable_call", Severity::kAlarm},        {"large_cell", Severity::kAlarm},
     {"large_cell_expected", Severity::kWarning},  {"bulk_load", Severity::kAlarm},
     {"other_table", Severity::kWarning},          {"dropped_table", Severity::kAlarm},
     {"labelled_table", Severity::kAlarm},         {"producer_renewed", Severity::kWarning},
     {"no_heartbeat", Severity::kWarning},         {"certificate_renewed", Severity::kInfo},
     {"certificate_kept", Severity::kWarning},     {"topic_lost", Severity::kAlarm}}};

constexpr const NoticeRule& RuleOf(NoticeKind kind) { return kNoticeRules[static_cast<size_t>(kind)]; }

/// How many, by kind.
using NoticeCounts = std::array<int64_t, kNoticeRules.size()>;

/// What is no alarm counts 0.
inline NoticeCounts AlarmsIn(NoticeCounts counts) {
  for (size_t i = 0; i < counts.size(); ++i) {
    if (kNoticeRules[i].severity != Severity::kAlarm) counts[i] = 0;
  }
  return counts;
}

struct Notice {
  NoticeKind kind;
  Words words;
  std::string table = {};   // it is about, or empty
  std::string server = {};  // "10.1.0.5:45678"

  Severity severity() const { return RuleOf(kind).severity; }
};

/// Called from any thread; returns at once.
using Notices = std::function<void(const Notice&)>;

}  // namespace fensi::capture
