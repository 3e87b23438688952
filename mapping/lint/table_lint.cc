#include "mapping/lint/table_lint.h"

#include <algorithm>

#include "base/bytes.h"
#include "mapping/template/steps.h"

namespace fensi::mapping {
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
      findings->At(Code::kLongFamily, {"columns"}, "the family name '" + family.name + "' stands in every cell",
                   {"one to three bytes are enough"});
    }
    if (definition.shared && family.versions) {
      findings->At(Code::kSeveralVersions, {"create", "families", family.name},
                   "the family '" + family.name + "' keeps " + VersionsText(*family.versions) +
                       ": in a shared cell each source row has its own, and HBase drops what is more",
                   {"leave 'versions' out: 'fensi create' then lets the table keep all"});
    } else if (family.versions.value_or(1) > 1) {
      findings->At(Code::kSeveralVersions, {"create", "families", family.name},
                   "the family '" + family.name + "' keeps " + VersionsText(*family.versions) +
                       ": an index needs the newest only");
    }
  }
  if (create.families.size() > kMostFamilies) {
    findings->At(Code::kManyFamilies, {"columns"}, std::to_string(create.families.size()) + " families",
                 {"they are flushed and split together; one to three work well"});
  }
}

// What row keys begin with; nothing: the first part may be empty, and any byte follows.
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
  const std::string regions =
      unreachable.size() == 1 ? "a region stays empty" : std::to_string(unreachable.size()) + " regions stay empty";
  std::vector<std::string> hints = {
      "'hex' is for keys that begin with hex digits, 'uniform' for keys that begin with any byte, 'salt' for those "
      "that begin with '| salt n' of the same n"};
  const std::string even = EvenSplits(first, splits.size() + 1);
  if (!even.empty()) hints.push_back("by the bytes that these keys begin with: " + even);
  findings->At(Code::kUnreachableSplit, {"create", "split"},
               "no key is on the other side of the split '" + Escape(unreachable[0]) + "'" +
                   (unreachable.size() == 1 ? "" : ", and so on") + ": " + regions,
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
  findings->AtPart(Code::kHashTooShort, first,
                   "this prefix has " + std::to_string(values) + " values for " + std::to_string(regions) + " regions");
}

}  // namespace

void LintTable(Findings* findings) {
  LintFamilies(findings);
  LintSplits(findings);
  LintHashPrefix(findings);
}

}  // namespace fensi::mapping
