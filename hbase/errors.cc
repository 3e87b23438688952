#include "hbase/errors.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/bytes.h"
#include "base/shown_text.h"
#include "base/text.h"

namespace fensi::hbase {
namespace {

struct KnownClass {
  std::string_view name;
  Remedy remedy;
  StatusCode code = StatusCode::kUnavailable;  // of final ones
};

constexpr KnownClass kClasses[] = {
    {"NotServingRegionException", Remedy::kForgetRegion},
    {"WrongRegionException", Remedy::kForgetRegion},
    {"RegionOfflineException", Remedy::kForgetRegion},
    {"ServerNotRunningYetException", Remedy::kForgetServer},
    {"RegionServerStoppedException", Remedy::kForgetServer},
    {"RegionServerAbortedException", Remedy::kForgetServer},
    {"RegionMovedException", Remedy::kFollowMove},
    {"RegionOpeningException", Remedy::kPause},
    {"RegionTooBusyException", Remedy::kPause},
    {"PleaseHoldException", Remedy::kPause},
    {"RegionInRecoveryException", Remedy::kPause},
    {"NotAllMetaRegionsOnlineException", Remedy::kPause},
    {"TableInfoMissingException", Remedy::kPause},
    {"CallQueueTooBigException", Remedy::kLongPause},
    {"CallDroppedException", Remedy::kLongPause},
    {"RpcThrottlingException", Remedy::kThrottled},
    {"ThrottlingException", Remedy::kThrottled},
    {"QuotaExceededException", Remedy::kThrottled},
    {"SpaceLimitingException", Remedy::kThrottled},
    {"MultiActionResultTooLarge", Remedy::kAtOnce},
    {"RetryImmediatelyException", Remedy::kAtOnce},
    {"UnknownScannerException", Remedy::kReopenScanner},
    {"OutOfOrderScannerNextException", Remedy::kReopenScanner},
    {"ScannerResetException", Remedy::kReopenScanner},
    {"LeaseException", Remedy::kReopenScanner},
    {"NoSuchColumnFamilyException", Remedy::kFinal, StatusCode::kConfiguration},
    {"FailedSanityCheckException", Remedy::kFinal, StatusCode::kRejected},
    {"RowTooBigException", Remedy::kFinal, StatusCode::kRejected},
    {kAnswerTooLarge, Remedy::kFinal},
    {"AccessDeniedException", Remedy::kFinal, StatusCode::kPermission},
    {"AccessControlException", Remedy::kFinal, StatusCode::kPermission},
    {"TableNotFoundException", Remedy::kFinal, StatusCode::kNotFound},
    {"NamespaceNotFoundException", Remedy::kFinal, StatusCode::kNotFound},
    {"TableExistsException", Remedy::kFinal, StatusCode::kAlreadyExists},
    {"NamespaceExistException", Remedy::kFinal, StatusCode::kAlreadyExists},
    {"TableNotEnabledException", Remedy::kFinal},
    {"TableNotDisabledException", Remedy::kFinal},
    {"DoNotRetryIOException", Remedy::kFinal, StatusCode::kRejected},
    {"DoNotRetryRegionException", Remedy::kFinal, StatusCode::kRejected},
    {"ConstraintException", Remedy::kFinal, StatusCode::kRejected},
    {"CoprocessorException", Remedy::kFinal, StatusCode::kRejected},
    {"UnsupportedOperationException", Remedy::kFinal, StatusCode::kRejected},
    {"IllegalArgumentException", Remedy::kFinal, StatusCode::kRejected},
    {"FatalConnectionException", Remedy::kFinal, StatusCode::kConfiguration},
    {"UnknownProtocolException", Remedy::kFinal, StatusCode::kConfiguration},
};

const KnownClass* Find(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(kClasses), std::end(kClasses), [&](const KnownClass& one) { return one.name == name; });
  return found == std::end(kClasses) ? nullptr : found;
}

/// The text between `field` and the next character that ends it; empty: there is none.
std::string_view FieldOf(std::string_view text, std::string_view field) {
  const size_t begin = text.find(field);
  if (begin == std::string_view::npos) return {};
  const std::string_view rest = text.substr(begin + field.size());
  return rest.substr(0, std::min(rest.find_first_of(" \n,"), rest.size()));
}

template <typename Number>
bool ParseNumber(std::string_view text, Number* number) {
  if (text.ends_with('.')) text.remove_suffix(1);
  const std::optional<Number> parsed = ParseWhole<Number>(text);
  if (parsed) *number = *parsed;
  return parsed.has_value();
}

/// What a person can do about an exception of this class; empty: that depends on the call.
std::string ActionFor(const RemoteError& error) {
  switch (RemedyFor(error)) {
    case Remedy::kFinal:
      return ShortName(error) == "TableNotEnabledException" ? ". Enable the table in the HBase shell, with 'enable'"
                                                            : "";
    case Remedy::kForgetRegion:
      return kSeeTransitions;
    case Remedy::kThrottled:
      return ". A quota of HBase is used up. Wait, or raise the quota in the HBase shell (set_quota)";
    default:
      return kReadServersLog;
  }
}

/// A right on a table, and not the login.
bool LacksRight(const RemoteError& error) {
  const bool denied = ShortName(error) == "AccessDeniedException" || ShortName(error) == "AccessControlException";
  return denied && error.message.find("Authentication is required") == std::string::npos;
}

}  // namespace

std::string_view ShortName(const RemoteError& error) {
  const std::string_view name = error.exception;
  const size_t dot = name.find_last_of(".$");
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

RedactableText WhatFailed(const RemoteError& error) {
  constexpr size_t kMost = 400;
  const RedactableText name{std::string(ShortName(error))};
  if (error.message.empty()) return name;
  std::string message = EscapeSome(error.message, kMost);
  const StatusCode code = CodeOf(error);
  const bool quotes = code == StatusCode::kUnavailable || code == StatusCode::kRejected;
  if (!quotes) return name + ": " + message;
  const bool read_only = message.find(kRegionIsReadOnly) != std::string::npos;
  return name + ": " +
         (read_only ? RedactableText(std::move(message), std::string(kRegionIsReadOnly))
                    : RedactableText::Quote(std::move(message)));
}

RedactableText ErrorWords(const RemoteError& error) {
  constexpr char kGrant[] = ". Grant the right to this user in the HBase shell, with the command 'grant'";
  return WhatFailed(error) + (LacksRight(error) ? kGrant : ActionFor(error));
}

std::string ErrorText(const RemoteError& error) { return ErrorWords(error).all(); }

Remedy RemedyFor(const RemoteError& error) {
  const KnownClass* known = Find(ShortName(error));
  if (known != nullptr) {
    // A region server says of a class that it retries itself that the client must not: the class knows better.
    return known->remedy == Remedy::kPause && error.overloaded ? Remedy::kLongPause : known->remedy;
  }
  if (error.do_not_retry) return Remedy::kFinal;
  return error.overloaded ? Remedy::kLongPause : Remedy::kUnknownClass;
}

std::optional<RegionMove> MoveOf(const RemoteError& error) {
  RegionMove move;
  move.host = FieldOf(error.message, "hostname=");
  const bool whole = !move.host.empty() && ParseNumber(FieldOf(error.message, "port="), &move.port) &&
                     ParseNumber(FieldOf(error.message, "startCode="), &move.start_code) &&
                     ParseNumber(FieldOf(error.message, "locationSeqNum="), &move.sequence);
  return whole && move.port > 0 && move.port <= 65'535 ? std::optional(std::move(move)) : std::nullopt;
}

StatusCode CodeOf(const RemoteError& error) {
  const KnownClass* known = Find(ShortName(error));
  if (known == nullptr) return StatusCode::kRejected;
  return known->remedy == Remedy::kFinal ? known->code : StatusCode::kUnavailable;
}

StatusCode CodeOfTable(const RemoteError& error) {
  const StatusCode code = CodeOf(error);
  return code == StatusCode::kRejected ? StatusCode::kUnavailable : code;
}

Status UnreadableAnswer(const std::string& method, const std::string& fault) {
  return Status(StatusCode::kUnavailable,
                "fensi cannot read the answer to " + method + (fault.empty() ? "" : " (" + fault + ")") +
                    ". If the error comes again, report it to the developers of fensi, with the "
                    "version of HBase");
}

Status NoSuchTable(const std::string& table) { return Status(StatusCode::kNotFound, NoSuchTableText(table)); }

Status TableNotEnabled(const std::string& table) {
  return Status(StatusCode::kUnavailable, "table " + table +
                                              " is disabled, or changes its state now. If it stays so, enable it in "
                                              "the HBase shell: enable '" +
                                              table + "'");
}

Status MayBeDone(const Status& why) {
  return why.WithContext("it is unknown whether HBase changed the row, so fensi reads the row before it writes again")
      .As(StatusCode::kUnavailable);
}

bool IsTooMuchAtOnce(const RemoteError& error) {
  return ShortName(error) == "RowTooBigException" || ShortName(error) == kAnswerTooLarge;
}

bool IsOfOneCell(const RemoteError& error) {
  // RSRpcServices.checkCellSizeLimit: "Cell[…] with size S exceeds limit of N bytes". The cell is quoted before it.
  constexpr std::string_view kLimit = " exceeds limit of ", kBytes = " bytes";
  std::string_view text = error.message;
  if (CodeOf(error) != StatusCode::kRejected || !text.ends_with(kBytes)) return false;
  text.remove_suffix(kBytes.size());
  const size_t digits = text.size() - (text.find_last_not_of("0123456789") + 1);
  text.remove_suffix(digits);
  return digits > 0 && text.ends_with(kLimit);
}

bool ConcernsTable(const RemoteError& error) {
  const StatusCode code = CodeOf(error);
  if (code != StatusCode::kRejected) return code != StatusCode::kConfiguration;
  // The whole text of HRegion.checkReadOnly, a plain DoNotRetryIOException: other texts quote row keys.
  return error.message == "region is read only";
}

}  // namespace fensi::hbase
