// Every diagnostic of a mapping file in one table: its stable name, its severity, its subject.
#pragma once

#include <span>
#include <string_view>

#include "mapping/diagnostics.h"

namespace fensi::mapping {

/// In the order of kCodes in codes.cc.
enum class Code {
  kNotText,
  kTab,
  kTooLarge,
  kTooDeep,
  kYamlSyntax,
  kAnchor,
  kTag,
  kSeveralDocuments,
  kDuplicateKey,
  kUnknownKey,
  kMissingKey,
  kWrongKind,
  kEmpty,
  kDoubleQuotedEscape,
  kUnquotedTemplate,
  kTemplateSyntax,
  kUnknownReference,
  kUnboundReference,
  kUnknownFunction,
  kWrongArguments,
  kTypeMismatch,
  kNotBytes,
  kBadName,
  kDuplicateName,
  kBadColumn,
  kDuplicateColumn,
  kBadEach,
  kBadCondition,
  kBadChoice,
  kBadNumber,
  kBadDuration,
  kBadSplit,
  kFamilyNotCreated,
  kExpireNeedsTtl,
  kExpireLeavesAnother,
  kExpireMinVersions,
  kSharedAndUnique,
  kSharedMinVersions,
  kNoExistence,
  kRowsCollide,
  kBadProto,
  kBadAvro,
  kBadPeriod,
  kNotStateless,
  kBadChangelog,
  kNoChangelog,
  kKeyTooLong,
  kKeyAmbiguous,
  kTimeCycle,
  kHashMayCollide,
  kGrowingKey,
  kKeyWidth,
  kUnpaddedNumber,
  kOpenPartInFront,
  kNoRangeScan,
  kSalted,
  kDomainNotReversed,
  kUnreachableSplit,
  kHashTooShort,
  kLongFamily,
  kManyFamilies,
  kSeveralVersions,
};

struct CodeInfo {
  Code code;
  std::string_view name;
  Severity severity;
  std::string_view summary;      // one line, for the reference
  std::string_view remedy = {};  // the hint of a message that has none of its own; each error has one
};

std::span<const CodeInfo> Codes();
const CodeInfo& Info(Code code);

}  // namespace fensi::mapping
