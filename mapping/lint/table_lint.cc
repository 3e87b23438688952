#include "mapping/lint/table_lint.h"

#include <algorithm>

#include "base/bytes.h"
#include "mapping/template/steps.h"

namespace fensi::mapping {
namespace {

constexpr size_t kLongFamilyName = 3;
constexpr size_t kMostFamilies = 3;

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
                   "the family '" + family.name + "' keeps " + std::to_string(*family.versions) +
                       " versions: in a shared cell each source row has its own, and HBase drops what is more",
                   {"leave 'versions' out: 'fensi create' then lets the table keep all"});
    } else if (family.versions.value_or(1) > 1) {
      findings->At(Code::kSeveralVersions, {"create", "families", family.name},
                   "the family '" + family.name + "' keeps " + std::to_string(*family.versions) +
                       " versions: an index needs the newest only");
    }
  }
  if (create.families.size() > kMostFamilies) {
    findings->At(Code::kManyFamilies, {"columns"}, std::to_string(create.families.size()) + " families",
                 {"they are flushed and split together; one to three work well"});
  }
}

// The smallest and the largest first byte of a row key.
struct FirstByte {
  int least = 0;
  int most = 255;
};

FirstByte FirstByteOf(const Part& part) {
  if (part.shape.min_width == 0) return {};
  const ByteSet bytes = part.IsLiteral() ? BytesOf(part.literal.substr(0, 1)) : part.shape.bytes;
  FirstByte range;
  while (range.least < range.most && !bytes[static_cast<size_t>(range.least)]) ++range.least;
  while (range.most > range.least && !bytes[static_cast<size_t>(range.most)]) --range.most;
  return range;
}

void LintSplits(Findings* findings) {
  const IndexDefinition& definition = findings->definition();
  if (definition.create.split_keys.empty()) return;
  const Part& first = definition.row.parts[0];
  const FirstByte range = FirstByteOf(first);
  for (const std::string& key : definition.create.split_keys) {
    const int c = static_cast<unsigned char>(key[0]);
    if (c >= range.least && c <= range.most) continue;
    findings->At(Code::kUnreachableSplit, {"create", "split"},
                 "no key is on the other side of the split '" + Escape(key) + "': a region stays empty",
                 {"'hex' is for keys that begin with hex digits, 'uniform' for keys that begin with any byte, 'salt' "
                  "for those that begin with '| salt n' of the same n"});
    return;
  }
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
