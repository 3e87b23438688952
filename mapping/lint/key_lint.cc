#include "mapping/lint/key_lint.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/hbase_limits.h"
#include "mapping/definition/analysis.h"
#include "mapping/template/steps.h"

namespace fensi::mapping {
namespace {

constexpr size_t kShortKey = 10;
constexpr size_t kLongKey = 100;

bool HasRole(const Part& part, Role role) {
  return std::any_of(part.steps.begin(), part.steps.end(), [role](const Step& step) { return RoleOf(step) == role; });
}

bool HasCategory(const Part& part, Category category) {
  return std::any_of(part.steps.begin(), part.steps.end(), [category](const Step& step) {
    return step.function != nullptr && step.function->category == category;
  });
}

bool HasHash(const Part& part) { return HasCategory(part, Category::kHashes); }

bool IsFromTime(const Part& part) {
  if (part.IsLiteral()) return false;
  if (part.reference->IsTime()) return true;
  return HasCategory(part, Category::kTime);
}

/// A number of at least four bytes in its order: fewer have few values. (A descending one is a ranking.)
bool IsFromNumber(const Part& part) {
  const auto wide = [](const Step& step) {
    if (step.function == nullptr || step.function->category != Category::kNumbers) return false;
    if (step.function->inputs != Takes(Type::kBytes)) return false;
    Shape shape;
    step.function->shape(step.arguments, &shape);
    return shape.type == Type::kInteger && shape.most >= INT32_MAX;
  };
  return std::any_of(part.steps.begin(), part.steps.end(), wide) && part.shape.max_width >= 4 &&
         part.shape.order != Direction::kDown;
}

size_t Sum(size_t a, size_t b) { return a > Shape::kUnbounded - b ? Shape::kUnbounded : a + b; }

void LintWidth(Findings* findings) {
  size_t least = 0;
  size_t most = 0;
  for (const Part& part : findings->definition().row.parts) {
    least = Sum(least, part.shape.min_width);
    most = Sum(most, part.shape.max_width);
  }
  if (least > kMaxRowBytes) {
    findings->At(Code::kKeyTooLong, {"row"},
                 "every row key has at least " + std::to_string(least) + " bytes, HBase takes at most " +
                     std::to_string(kMaxRowBytes));
  } else if (least > kLongKey) {
    findings->At(Code::kKeyWidth, {"row"}, "every row key has at least " + std::to_string(least) + " bytes",
                 {"each cell carries its row key: every 100 bytes cost 100 MB per million cells before compression"});
  } else if (most < kShortKey) {
    findings->At(Code::kKeyWidth, {"row"}, "no row key has more than " + std::to_string(most) + " bytes",
                 {"are they unique? good keys have 10 to 100 bytes"});
  }
}

void LintBorders(Findings* findings) {
  const Template& row = findings->definition().row;
  if (!IsDecodable(row)) {
    findings->At(Code::kKeyAmbiguous, {"row"},
                 "several parts have no fixed width: \"a\" + \"bc\" and \"ab\" + \"c\" are one key",
                 {"end a part with '| terminated', give it a width with '| fixed n', or keep its separator out of it "
                  "with '| without -'"});
    return;
  }
  for (size_t i = 0; i + 1 < row.parts.size(); ++i) {
    if (EndsItself(row, i)) continue;
    findings->AtPart(Code::kOpenPartInFront, row.parts[i],
                     "this part has no end of its own: a scan of the prefix \"1\" also reads \"11\"",
                     {"end it with '| terminated', or put it last"});
  }
}

void LintOrder(Findings* findings) {
  const Template& row = findings->definition().row;
  const size_t salts = SaltParts(row);
  for (size_t i = 0; i < row.parts.size(); ++i) {
    const Part& part = row.parts[i];
    if (part.IsLiteral()) continue;
    if (!part.shape.fixed() && std::any_of(part.steps.begin(), part.steps.end(), WritesOpenDigits)) {
      findings->AtPart(Code::kUnpaddedNumber, part, "digits of different length: \"10\" sorts in front of \"9\"",
                       {"write '| decimal 13' or '| to_be 8'"});
    }
    if (i < salts) {
      const Step& salt = part.steps[*SaltStep(part)];
      const int64_t n = salt.function->reading.salts(salt.arguments);
      findings->AtPart(Code::kSalted, part,
                       "a reader that does not know this part makes " + std::to_string(n) + " scans");
    } else if (HasHash(part) || HasRole(part, Role::kTurns)) {
      findings->AtPart(Code::kNoRangeScan, part,
                       "this part does not keep the order of its values: no range scans on it");
    }
  }
}

void LintFirstPart(Findings* findings) {
  for (const Part& part : findings->definition().row.parts) {
    if (part.IsLiteral()) continue;
    const bool spread = HasHash(part) || HasRole(part, Role::kTurns) || SaltStep(part);
    if (IsFromTime(part) && !spread) {
      findings->AtPart(Code::kGrowingKey, part, "the key begins with a time: all writes go to the same region",
                       {"put a hash prefix, a salt, or a part with few values in front"});
    } else if (IsFromNumber(part) && !spread) {
      findings->AtPart(
          Code::kGrowingKey, part,
          "the key begins with a number: if it grows, as those of orders do, all writes go to the same region",
          {"put a hash prefix, a salt, or a part with few values in front, or reverse its digits"});
    }
    return;
  }
}

void LintDomains(Findings* findings) {
  static const std::set<std::string_view> kNames = {"host", "hostname", "domain", "site"};
  const IndexDefinition& definition = findings->definition();
  for (const Part& part : definition.row.parts) {
    if (part.IsLiteral() || part.reference->kind != Reference::Kind::kColumn) continue;
    if (!kNames.contains(definition.slots[part.reference->slot].qualifier)) continue;
    if (HasHash(part) || HasRole(part, Role::kTurnsDomain)) continue;
    findings->AtPart(Code::kDomainNotReversed, part, "pages of one domain do not stand together",
                     {"write '| reverse_domain': www.example.com becomes com.example.www"});
  }
}

// Days after which the fields of a time format repeat; 0: they do not (within a century).
int64_t CycleDays(const std::set<char>& fields) {
  if (fields.empty() || fields.contains('Y') || fields.contains('y')) return 0;
  if (fields.contains('m') || fields.contains('j')) return 365;
  if (fields.contains('d')) return 28;
  return 1;
}

std::set<char> TimeFields(const Part& part) {
  std::set<char> fields;
  for (const Step& step : part.steps) {
    const std::string* const format = FormatOf(step);
    for (size_t i = 0; format != nullptr && i + 1 < format->size(); ++i) {
      if ((*format)[i] != '%') continue;
      ++i;
      if ((*format)[i] != '%') fields.insert((*format)[i]);
    }
  }
  return fields;
}

void LintCycle(Findings* findings) {
  constexpr int64_t kCompactionDays = 7;  // hbase.hregion.majorcompaction
  const IndexDefinition& definition = findings->definition();
  for (const Part& part : definition.row.parts) {
    if (part.IsLiteral()) continue;
    std::set<char> fields;
    for (const Part& other : definition.row.parts) {
      if (!other.IsLiteral() && other.reference->Same(*part.reference)) fields.merge(TimeFields(other));
    }
    const int64_t cycle = TimeFields(part).empty() ? 0 : CycleDays(fields);
    if (cycle == 0) continue;
    for (const FamilySpec& family : definition.create.families) {
      const int64_t ttl = family.ttl_seconds.value_or(INT32_MAX) / 86400;
      if (ttl + 2 * kCompactionDays <= cycle) continue;
      findings->AtPart(
          Code::kTimeCycle, part,
          "this time comes round again after " + std::to_string(cycle) + " days, while entries of the family '" +
              family.name + (family.ttl_seconds ? "' live " + std::to_string(ttl) + " days" : "' live for ever"),
          {"if it is when something happened, a reader gets the entries of several cycles in one: give the year, "
           "or a TTL of at most the cycle less two major compactions (14 days)"});
    }
    return;
  }
}

void LintHash(Findings* findings) {
  const int bits = KnownBits(findings->definition(), Origin::kRow);
  if (findings->definition().shared || findings->definition().unique || bits == kExactly) return;
  const double odds = std::pow(10.0, 12) / std::pow(2.0, bits);  // a million rows: half a million million pairs
  findings->At(Code::kHashMayCollide, {"row"},
               "source rows are told apart by " + std::to_string(bits) + " bits of a hash only",
               {"the odds that two of a million rows collide are below 1 in " +
                std::to_string(static_cast<int64_t>(std::min(2 / odds, 9e18)))});
}

}  // namespace

void LintKey(Findings* findings) {
  LintWidth(findings);
  LintBorders(findings);
  LintOrder(findings);
  LintFirstPart(findings);
  LintDomains(findings);
  LintCycle(findings);
  LintHash(findings);
}

}  // namespace fensi::mapping
