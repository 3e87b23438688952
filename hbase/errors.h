// The exceptions of an HBase server, and the client's reaction to each.
//
// Sources: ClientExceptionsUtil, AsyncRegionLocatorHelper and RSRpcServices of HBase 2.6. Pure, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/redactable_text.h"
#include "base/status.h"

namespace fensi::hbase {

/// An exception of the server.
struct RemoteError {
  std::string exception;  // name of the Java class, with its package
  std::string message;    // its first line, without the name
  bool do_not_retry = false;
  bool overloaded = false;  // the server itself reports that it is overloaded
};

/// The class of an error that the client gives itself: the server's answer is larger than the client takes.
inline constexpr char kAnswerTooLarge[] = "AnswerTooLarge";

/// "NotServingRegionException", without the package.
std::string_view ShortName(const RemoteError& error);
/// Of HRegion.checkReadOnly: HBase names no row with it, so a log may show it.
inline constexpr std::string_view kRegionIsReadOnly = "region is read only";
/// Ends the message of a call that may succeed later. A daemon retries by itself, so it does not say "run it again".
inline constexpr char kReadServersLog[] = ". If the error lasts, read the log of that server";
inline constexpr char kSeeTransitions[] =
    ". If the error lasts, see the regions in transition on the master's web page";
/// "NotServingRegionException: MESSAGE", cut if it is long. The message of a failed call is a quotation, because HBase
/// names rows and regions in it.
RedactableText WhatFailed(const RemoteError& error);
/// The same, and what to do.
RedactableText ErrorWords(const RemoteError& error);
/// ErrorWords with what they quote.
std::string ErrorText(const RemoteError& error);

enum class Remedy {
  kForgetRegion,   // read the region's location from hbase:meta, then retry
  kForgetServer,   // the same for all regions of this server
  kFollowMove,     // the exception has the new location (MoveOf)
  kPause,          // retry a little later
  kLongPause,      // the server is overloaded: retry later
  kThrottled,      // a quota is used up: the caller waits
  kAtOnce,         // retry the rest, at once
  kReopenScanner,  // open the scanner again after the last whole row
  kUnknownClass,   // a class without a row in the table that may be retried: retry a little later
  kFinal,          // do not retry
};

Remedy RemedyFor(const RemoteError& error);

/// The new location of a region in a RegionMovedException.
struct RegionMove {
  std::string host;
  int port = 0;
  uint64_t start_code = 0;
  int64_t sequence = 0;  // of the opening there
};
/// Absent if the message has another form.
std::optional<RegionMove> MoveOf(const RemoteError& error);

/// The status code of a final error: kPermission, kNotFound (table or namespace), kAlreadyExists, kConfiguration (a
/// missing family, another protocol), kUnavailable (the table is disabled) or kRejected.
StatusCode CodeOf(const RemoteError& error);

/// The status code of a final error that is no row's fault: what HBase refuses with a plain exception, for instance
/// because a file is missing, passes when a person repairs the table. kUnavailable instead of kRejected.
StatusCode CodeOfTable(const RemoteError& error);

/// kUnavailable: the answer to `method` is no message of HBase, or contradicts itself (`fault`). The caller adds the
/// server as context.
Status UnreadableAnswer(const std::string& method, const std::string& fault = "");
/// kNotFound: HBase has no such table.
Status NoSuchTable(const std::string& table);
/// kUnavailable: the table is disabled, or on the way to or from it.
Status TableNotEnabled(const std::string& table);
/// kUnavailable: the write ended with `why`, and a later read must show whether it took effect.
Status MayBeDone(const Status& why);

/// True if a read may succeed when it asks for less at once.
bool IsTooMuchAtOnce(const RemoteError& error);

/// True if the row is at fault by itself: a cell of it is larger than the server allows.
bool IsOfOneCell(const RemoteError& error);

/// True if the error of a batch concerns all of its rows, whatever their content: the table is read-only, disabled, or
/// we may not write to it.
bool ConcernsTable(const RemoteError& error);

}  // namespace fensi::hbase
