#include "mapping/lint/lint.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/bytes.h"
#include "base/hbase_limits.h"
#include "mapping/definition/analysis.h"
#include "mapping/template/program.h"

namespace fensi::mapping {

void Findings::AtPart(Code code, const Part& part, std::string message, std::vector<std::string> hints) {
  Report(code, reporter_->Inside(*field_.value.Find("row"), part.offset, part.width), std::move(message),
         std::move(hints));
}

void Findings::At(Code code, std::initializer_list<std::string_view> path, std::string message,
                  std::vector<std::string> hints) {
  const Node* node = &field_.value;
  Place place = field_.key.place;
  for (std::string_view key : path) {
    node = node->Find(key);
    if (node == nullptr) break;
    place = node->place;
  }
  Report(code, place, std::move(message), std::move(hints));
}

void Findings::Report(Code code, const Place& place, std::string message, std::vector<std::string> hints) {
  const CodeInfo& info = Info(code);
  if (info.severity == Severity::kWarning) {
    if (definition_.allow.contains(std::string(info.name))) return;
    hints.push_back("if you want this, write 'ignore_warnings: [" + std::string(info.name) + "]' in this index");
  }
  reporter_->Report(code, place, std::move(message), std::move(hints));
}

void Lint(const IndexDefinition& definition, const Node::Field& field, Reporter* reporter) {
  Findings findings(definition, field, reporter);
  LintKey(&findings);
  LintTable(&findings);
}

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

Shape ShapeBehind(const Step& step) {
  Shape shape;
  step.function->shape(step.arguments, &shape);
  return shape;
}

bool IsFromTime(const Part& part) {
  if (part.IsLiteral()) return false;
  if (part.reference->IsTime()) return true;
  return HasCategory(part, Category::kTime) || std::any_of(part.steps.begin(), part.steps.end(), [](const Step& step) {
           return step.function != nullptr && ShapeBehind(step).type == Type::kTime;
         });
}

/// A number of at least four bytes in its order: fewer have few values. (A descending one is a ranking.)
bool IsFromNumber(const Part& part) {
  const auto wide = [](const Step& step) {
    if (step.function == nullptr || step.function->inputs != Takes(Type::kBytes)) return false;
    const Category category = step.function->category;
    const bool reads =
        category == Category::kNumbers || category == Category::kEncodings || category == Category::kPacked;
    if (!reads) return false;
    const Shape shape = ShapeBehind(step);
    return shape.type == Type::kInteger && shape.most >= INT32_MAX;
  };
  return std::any_of(part.steps.begin(), part.steps.end(), wide) && part.shape.max_width >= 4 &&
         part.shape.order != Direction::kDown;
}

void LintWidth(Findings* findings) {
  size_t least = 0;
  size_t most = 0;
  for (const Part& part : findings->definition().row.parts) {
    least = Shape::SumOfWidths(least, part.shape.min_width);
    most = Shape::SumOfWidths(most, part.shape.max_width);
  }
  if (least > kMaxRowBytes) {
    findings->At(Code::kKeyTooLong, {"row"},
                 "every row key has at least " + std::to_string(least) + " bytes, and HBase takes at most " +
                     std::to_string(kMaxRowBytes),
                 {"remove parts, or shorten parts with a hash such as '| md5'"});
  } else if (least > kLongKey) {
    findings->At(
        Code::kKeyWidth, {"row"},
        "every row key has at least " + std::to_string(least) + " bytes, and row keys above 100 bytes are costly",
        {"remove parts, or shorten parts with a hash such as '| md5'. Each cell has its row key, and every 100 bytes "
         "cost 100 MB per million cells before compression"});
  } else if (most < kShortKey) {
    findings->At(
        Code::kKeyWidth, {"row"},
        "no row key has more than " + std::to_string(most) + " bytes, and so short row keys are often not unique",
        {"check that the row keys are unique, and add a part if they are not. Good row keys have 10 to 100 bytes"});
  }
}

void LintBorders(Findings* findings) {
  const Template& row = findings->definition().row;
  if (!IsDecodable(row)) {
    findings->At(Code::kKeyAmbiguous, {"row"},
                 "several parts have no fixed width: \"a\" + \"bc\" and \"ab\" + \"c\" are one key",
                 {"end a part with '| terminated', or give the part a width with '| fixed n'. If a separator follows "
                  "the part, '| without -' also works, with '-' as the separator"});
    return;
  }
  for (size_t i = 0; i + 1 < row.parts.size(); ++i) {
    if (EndsItself(row, i)) continue;
    findings->AtPart(Code::kOpenPartInFront, row.parts[i],
                     "nothing shows where this part ends, so a scan of the prefix \"1\" also reads \"11\"",
                     {"end the part with '| terminated', or put the part last"});
  }
}

void LintOrder(Findings* findings) {
  const Template& row = findings->definition().row;
  const size_t salts = SaltParts(row);
  for (size_t i = 0; i < row.parts.size(); ++i) {
    const Part& part = row.parts[i];
    if (part.IsLiteral()) continue;
    if (!part.shape.fixed() && std::any_of(part.steps.begin(), part.steps.end(), WritesOpenDigits)) {
      findings->AtPart(Code::kUnpaddedNumber, part,
                       "this part has digits of different length, so \"10\" sorts before \"9\"",
                       {"write '| decimal 13' for 13 digits, or '| to_be 8' for 8 bytes"});
    }
    if (i < salts) {
      const Step& salt = part.steps[*SaltStep(part)];
      const int64_t n = salt.function->reading.salts(salt.arguments);
      findings->AtPart(Code::kSalted, part,
                       "a reader that does not know the value of this part makes " + std::to_string(n) + " scans",
                       {"remove the salt for a single scan, or use fewer salts for fewer scans"});
    } else if (HasHash(part) || HasRole(part, Role::kTurns)) {
      findings->AtPart(Code::kNoRangeScan, part,
                       "this part does not keep the order of its values, so range scans on the part are not possible",
                       {"for range scans, put the value itself into the key, without hash or reverse"});
    }
  }
}

void LintFirstPart(Findings* findings) {
  for (const Part& part : findings->definition().row.parts) {
    if (part.IsLiteral()) continue;
    const bool spread = HasHash(part) || HasRole(part, Role::kTurns) || SaltStep(part);
    if (IsFromTime(part) && !spread) {
      findings->AtPart(Code::kGrowingKey, part, "the row key begins with a time, so all writes go to the same region",
                       {"put a hash, a part with few values, or a salt such as {row | salt 16} in front"});
    } else if (IsFromNumber(part) && !spread) {
      findings->AtPart(
          Code::kGrowingKey, part,
          "the row key begins with a number: if new numbers are always larger, as order numbers are, all writes go to "
          "the same region",
          {"put a hash, a part with few values, or a salt such as {row | salt 16} in front, or reverse the digits"});
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
    findings->AtPart(Code::kDomainNotReversed, part,
                     "this part has host names as they are written, so the pages of one domain are not together",
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
      const int64_t most = cycle - 2 * kCompactionDays;
      if (ttl <= most) continue;
      const std::string shorter =
          most > 0 ? ", or give the family a TTL of at most " + std::to_string(most) + " days" : std::string();
      findings->AtPart(
          Code::kTimeCycle, part,
          "this time repeats after " + std::to_string(cycle) + (cycle == 1 ? " day" : " days") +
              ", while entries of the family '" + family.name +
              (family.ttl_seconds ? "' live " + std::to_string(ttl) + " days" : "' live for ever"),
          {"add the year to the format" + shorter + ". Otherwise a reader also gets the entries of earlier cycles"});
    }
    return;
  }
}

void LintHash(Findings* findings) {
  const int bits = KnownBits(findings->definition(), Origin::kRow);
  if (findings->definition().shared || findings->definition().unique || bits == kExactly) return;
  const double odds = std::pow(10.0, 12) / std::pow(2.0, bits);  // a million rows: half a million million pairs
  findings->At(Code::kHashMayCollide, {"row"},
               "only " + std::to_string(bits) + " bits of a hash distinguish source rows",
               {"put {row} into the row key to exclude collisions. Among a million source rows, the odds of a "
                "collision are below 1 in " +
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

namespace {

constexpr size_t kLongFamilyName = 3;
constexpr size_t kMostFamilies = 3;

std::string VersionsText(int32_t versions) {
  return std::to_string(versions) + (versions == 1 ? " version" : " versions");
}

void LintFamilies(Findings* findings) {
  const IndexDefinition& definition = findings->definition();
  const CreateSpec& create = definition.create;
  for (const FamilySpec& family : create.families) {
    if (family.name.size() > kLongFamilyName) {
      findings->At(Code::kLongFamily, {"columns"}, "the family name '" + family.name + "' is stored in every cell",
                   {"use a family name of one to three bytes"});
    }
    if (definition.shared && family.versions) {
      findings->At(
          Code::kSeveralVersions, {"create", "families", family.name},
          "the family '" + family.name + "' keeps " + VersionsText(*family.versions) +
              ": each source row of a shared cell needs a version of its own, and HBase drops further versions",
          {"remove 'versions': 'fensi create' then lets the table keep all versions"});
    } else if (family.versions.value_or(1) > 1) {
      findings->At(Code::kSeveralVersions, {"create", "families", family.name},
                   "the family '" + family.name + "' keeps " + VersionsText(*family.versions) +
                       ", and an index needs only the newest",
                   {"remove 'versions'"});
    }
  }
  if (create.families.size() > kMostFamilies) {
    findings->At(Code::kManyFamilies, {"columns"},
                 "the index has " + std::to_string(create.families.size()) + " families",
                 {"use one to three families, because HBase flushes and splits all families of a region together"});
  }
}

// First bytes of the row keys; absent: the first part may be empty, and any byte follows.
ByteSet FirstBytesOf(const Part& part) {
  if (part.shape.min_width == 0) return ByteSet().set();
  return part.IsLiteral() ? BytesOf(part.literal.substr(0, 1)) : part.shape.bytes;
}

// Splits with no key on one of their sides.
std::vector<std::string> UnreachableSplits(const std::vector<std::string>& splits, const ByteSet& first) {
  size_t least = 0, most = first.size() - 1;
  while (least < most && !first[least]) ++least;
  while (most > least && !first[most]) --most;
  std::vector<std::string> unreachable;
  for (const std::string& split : splits) {
    const size_t byte = static_cast<unsigned char>(split[0]);
    if (byte < least || byte > most) unreachable.push_back(split);
  }
  return unreachable;
}

// As many regions as were wanted, as far as the first bytes of the keys make a difference; empty: they make none, or
// all bytes are there.
std::string EvenSplits(const ByteSet& first, size_t regions) {
  constexpr size_t kMostShown = 64;
  std::vector<char> bytes;
  for (size_t byte = 0; byte < first.size(); ++byte) {
    if (first[byte]) bytes.push_back(static_cast<char>(byte));
  }
  regions = std::min({regions, bytes.size(), kMostShown});
  if (regions < 2 || first.all()) return "";
  std::string keys;
  for (size_t i = 1; i < regions; ++i) {
    const char byte = bytes[i * bytes.size() / regions];
    keys += (keys.empty() ? "'" : ", '") + (byte == '\'' ? "''" : Escape(std::string(1, byte))) + "'";
  }
  return "keys: [" + keys + "]";
}

void LintSplits(Findings* findings) {
  const IndexDefinition& definition = findings->definition();
  const std::vector<std::string>& splits = definition.create.split_keys;
  const ByteSet first = FirstBytesOf(definition.row.parts[0]);
  const std::vector<std::string> unreachable = UnreachableSplits(splits, first);
  if (unreachable.empty()) return;
  const std::string count = std::to_string(unreachable.size());
  std::vector<std::string> hints = {
      "use 'hex' for row keys that begin with hex digits, 'uniform' for keys that begin with any byte, and 'salt: n' "
      "for keys that begin with '| salt n'"};
  const std::string even = EvenSplits(first, splits.size() + 1);
  if (!even.empty()) hints.push_back("or list splits for the first bytes of these keys: " + even);
  findings->At(Code::kUnreachableSplit, {"create", "split"},
               unreachable.size() == 1
                   ? "a region stays empty, because the split '" + Escape(unreachable[0]) +
                         "' lies outside the range of row keys"
                   : count + " regions stay empty, because " + count +
                         " splits lie outside the range of row keys, such as '" + Escape(unreachable[0]) + "'",
               std::move(hints));
}

void LintHashPrefix(Findings* findings) {
  const IndexDefinition& definition = findings->definition();
  const Part& first = definition.row.parts[0];
  const size_t regions = definition.create.split_keys.size() + 1;
  const bool hashed = !first.IsLiteral() && std::any_of(first.steps.begin(), first.steps.end(), [](const Step& step) {
    return step.function != nullptr && step.function->category == Category::kHashes;
  });
  if (!hashed || SaltStep(first) || !first.shape.fixed()) return;
  size_t values = 1;
  for (size_t i = 0; i < first.shape.max_width && values < regions; ++i) values *= first.shape.bytes.count();
  if (values >= regions) return;
  findings->AtPart(
      Code::kHashTooShort, first,
      "this hash prefix has only " + std::to_string(values) + " values for " + std::to_string(regions) + " regions",
      {"use more bytes of the hash, or fewer regions"});
}

}  // namespace

void LintTable(Findings* findings) {
  LintFamilies(findings);
  LintSplits(findings);
  LintHashPrefix(findings);
}

}  // namespace fensi::mapping
