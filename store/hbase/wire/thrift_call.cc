#include "store/hbase/wire/thrift_call.h"

#include <algorithm>
#include <cctype>

#include "hbase/errors.h"

namespace fensi::store {
namespace {

using enum FaultKind;
using enum StatusCode;

/// TIOError.canRetry is not asked: it is true for permanent faults, too.
constexpr FaultRule kRules[] = {
    {kGateway, "NoSuchColumnFamilyException", kRejected, Suspect::kFamily},
    {kGateway, "NamespaceNotFoundException", kNotFound},
    {kGateway, "NamespaceExistException", kAlreadyExists},
    {kGateway, "TableNotFoundException", kNotFound},
    {kGateway, "TableExistsException", kAlreadyExists},
    {kGateway, "AccessDeniedException", kPermission},
    {kGateway, "exceeds limit of", kRejected, Suspect::kRow},             // hbase.server.keyvalue.maxsize
    {kGateway, "RequestTooBigException", kRejected, Suspect::kRow},       // hbase.ipc.max.request.size
    {kGateway, "RowTooBigException", kUnavailable, Suspect::kReplySize},  // hbase.table.max.rowsize
    {kGateway, "MultiActionResultTooLarge", kUnavailable, Suspect::kReplySize},
    {kGateway, "Protocol message was too large", kUnavailable, Suspect::kReplySize},  // protobuf's words
    {kGateway, "Timestamp for KV out of range", kRejected, Suspect::kTime},
    {kGateway, "FailedSanityCheckException", kRejected},
    {kGateway, "IllegalArgumentException", kRejected, Suspect::kUnclear},
    {kGateway, "DoNotRetryIOException", kRejected},
    {kGateway, "", kUnavailable},
    {kApplication, "unknown method", kConfiguration},
    // Mostly an argument that the HBase client refuses, but also a gateway that starts, stops or is short of something.
    {kApplication, "internal error", kUnavailable, Suspect::kUnclear},
    {kApplication, "", kUnavailable},
    {kTransport, "MaxMessageSize", kUnavailable, Suspect::kReplySize},  // Thrift's words
    {kTransport, "", kUnavailable},
    {kProtocol, "Exceeded size limit", kUnavailable, Suspect::kReplySize},  // Thrift's words, of one string
    {kProtocol, "", kUnavailable},
    {kOther, "", kInternal},
};

/// Java's exceptions bring their stacks, and long ones: what is left fits into a line.
std::string OneLine(std::string_view text) {
  constexpr size_t kLongest = 500;
  std::string line;
  while (!text.empty() && line.size() < kLongest) {
    const std::string_view part = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    const size_t begin = part.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos || part.substr(begin).starts_with("at ")) continue;
    line += (line.empty() ? "" : "; ") + std::string(part.substr(begin));
  }
  if (line.size() > kLongest) line.resize(kLongest);
  return line;
}

bool IsOfName(unsigned char c) { return std::isalnum(c) != 0 || c == '.' || c == '$' || c == '_'; }

bool IsException(std::string_view name) {
  return (name.starts_with("org.apache.") || name.starts_with("java.")) &&
         (name.ends_with("Exception") || name.ends_with("Error"));
}

/// What is free of rows, keys of regions and values: names of exceptions, and that a table takes no writes.
std::string Causes(std::string_view line) {
  std::string causes;
  const auto add = [&causes](std::string_view cause) {
    if (causes.find(cause) == std::string::npos) causes += (causes.empty() ? "" : ", ") + std::string(cause);
  };
  for (auto at = line.begin(); at != line.end();) {
    const auto begin = std::find_if(at, line.end(), IsOfName);
    at = std::find_if_not(begin, line.end(), IsOfName);
    if (IsException({begin, at})) add({begin, at});
  }
  if (line.find(hbase::kRegionIsReadOnly) != std::string_view::npos) add(hbase::kRegionIsReadOnly);
  return causes;
}

/// HBase's own words quote what a call was about, but where it is about a table as a whole.
RedactableText GatewayWords(const std::string& line, StatusCode code) {
  const std::string causes = Causes(line);
  if ((code != kUnavailable && code != kRejected) || causes == line) return RedactableText(line);
  return {line, (causes.empty() ? "" : causes + ": ") + std::string(RedactableText::kHidden)};
}

}  // namespace

std::span<const FaultRule> FaultRules() { return kRules; }

Outcome FromFault(FaultKind kind, std::string_view message, const std::string& doing) {
  for (const FaultRule& rule : kRules) {
    if (rule.kind != kind || message.find(rule.part) == std::string_view::npos) continue;
    const std::string line = OneLine(message);
    RedactableText words = doing + ": " + (kind == kGateway ? GatewayWords(line, rule.code) : RedactableText(line));
    if (rule.code == kConfiguration)
      words += ". Check that --store names a Thrift2 gateway of HBase 2.4 or newer, and no Thrift1 gateway";
    return {Status(rule.code, words), rule.suspect, kind == kGateway || kind == kApplication};
  }
  return {Status(kInternal, doing + ": a fault without a rule")};
}

std::string ApplicationText(const apache::thrift::TApplicationException& fault) {
  using apache::thrift::TApplicationException;
  std::string text = fault.what();
  if (fault.getType() == TApplicationException::UNKNOWN_METHOD) return "unknown method: " + text;
  const auto type = fault.getType();
  if (type == TApplicationException::INTERNAL_ERROR || type == TApplicationException::UNKNOWN) {
    return "internal error: " + text;
  }
  return text;
}

}  // namespace fensi::store
