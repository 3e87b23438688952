// Notices of a capture for a person. The library reports them, the program decides how they are shown.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/redactable_text.h"

namespace fensi::capture {

/// The cluster that a peer presents to HBase: its id and its servers, which are the captures of one root.
struct ClusterView {
  std::string id;                    // content of ROOT/hbaseid
  std::vector<std::string> servers;  // names of ROOT/rs: "HOST,PORT,STARTCODE"
};

// Notices of a capture for a person.

enum class Severity {
  kInfo,
  kWarning,
  kAlarm,  // rows may be missing downstream until a person acts
};

/// In the order of kNoticeRules.
enum class NoticeKind {
  kRegistered,
  kNotRegistered,
  kWatermarkResumed,
  kWatermarkStalled,
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
  kCellVisibilityIgnored,
  kProducerRecreated,
  kNoHeartbeat,
  kCertificateRenewed,
  kCertificateReloadFailed,
  kTopicLost,
};

struct NoticeRule {
  std::string_view event;  // name in the log: docs/logs.md
  Severity severity;
};

inline constexpr std::array<NoticeRule, 22> kNoticeRules = {{{"registered_again", Severity::kInfo},
                                                             {"not_registered", Severity::kWarning},
                                                             {"watermark_resumed", Severity::kInfo},
                                                             {"watermark_stalled", Severity::kWarning},
                                                             {"region_server_connected", Severity::kInfo},
                                                             {"connection_refused", Severity::kWarning},
                                                             {"region_server_refused", Severity::kAlarm},
                                                             {"connection_closed", Severity::kWarning},
                                                             {"not_acknowledged", Severity::kWarning},
                                                             {"nothing_acknowledged", Severity::kAlarm},
                                                             {"unreadable_call", Severity::kAlarm},
                                                             {"large_cell", Severity::kAlarm},
                                                             {"large_cell_expected", Severity::kWarning},
                                                             {"bulk_load", Severity::kInfo},
                                                             {"other_table", Severity::kWarning},
                                                             {"dropped_table", Severity::kAlarm},
                                                             {"cell_visibility_ignored", Severity::kAlarm},
                                                             {"producer_recreated", Severity::kWarning},
                                                             {"no_heartbeat", Severity::kWarning},
                                                             {"certificate_renewed", Severity::kInfo},
                                                             {"certificate_reload_failed", Severity::kWarning},
                                                             {"topic_lost", Severity::kAlarm}}};

constexpr const NoticeRule& RuleOf(NoticeKind kind) { return kNoticeRules[static_cast<size_t>(kind)]; }

/// Number of notices by kind.
using NoticeCounts = std::array<int64_t, kNoticeRules.size()>;

/// Kinds that are no alarm count 0.
inline NoticeCounts AlarmsIn(NoticeCounts counts) {
  for (size_t i = 0; i < counts.size(); ++i) {
    if (kNoticeRules[i].severity != Severity::kAlarm) counts[i] = 0;
  }
  return counts;
}

struct Notice {
  NoticeKind kind;
  RedactableText words;
  std::string table = {};   // or empty
  std::string server = {};  // "10.1.0.5:45678"

  Severity severity() const { return RuleOf(kind).severity; }
};

/// Called from any thread; returns at once.
using Notices = std::function<void(const Notice&)>;

}  // namespace fensi::capture
