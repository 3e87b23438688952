#include "mapping/codes.h"

#include <array>

namespace fensi::mapping {
namespace {

constexpr Severity kE = Severity::kError;
constexpr Severity kW = Severity::kWarning;

constexpr std::array kCodes{
    CodeInfo{Code::kNotText, "not-text", kE, "the file is not UTF-8 text, or has control characters",
             "save the file as UTF-8"},
    CodeInfo{Code::kTab, "tab", kE, "tabs are refused: editors show them at different widths", "indent with spaces"},
    CodeInfo{Code::kTooLarge, "too-large", kE, "a file, or a list in it, is larger than any mapping needs",
             "remove indexes that you do not need, or move some of them to a second file"},
    CodeInfo{Code::kTooDeep, "too-deep", kE, "maps and lists are nested deeper than any mapping needs",
             "remove levels; 'fensi help mapping' shows the form of a file"},
    CodeInfo{Code::kYamlSyntax, "yaml-syntax", kE, "the file is not YAML",
             "correct the YAML at this place; 'fensi help mapping' has whole files"},
    CodeInfo{Code::kAnchor, "anchor", kE,
             "anchors and aliases are refused, so that the whole definition of an index stands in one place",
             "write the whole value at each place. Put a text that begins with '*' or '&' in single quotes"},
    CodeInfo{Code::kTag, "tag", kE, "YAML tags are refused: every scalar is text", "remove the tag"},
    CodeInfo{Code::kSeveralDocuments, "several-documents", kE, "one file is one document",
             "remove '---', or use two files"},
    CodeInfo{Code::kDuplicateKey, "duplicate-key", kE, "a key stands twice in one map", "remove one of the two"},
    CodeInfo{Code::kUnknownKey, "unknown-key", kE, "a key that fensi does not know",
             "remove it; 'fensi help mapping' lists all keys"},
    CodeInfo{Code::kMissingKey, "missing-key", kE, "a key that must be there",
             "add the key; 'fensi help mapping' has examples"},
    CodeInfo{Code::kWrongKind, "wrong-kind", kE, "a map, a list or a text was expected",
             "'fensi help mapping' shows the form of each key"},
    CodeInfo{Code::kEmpty, "empty", kE, "something that may not be empty",
             "write a value; 'fensi help mapping' has examples"},
    CodeInfo{Code::kDoubleQuotedEscape, "double-quoted-escape", kE, "a backslash in a double-quoted template",
             "put the template in single quotes"},
    CodeInfo{Code::kUnquotedTemplate, "unquoted-template", kE, "a template without quotes",
             "put the template in single quotes"},
    CodeInfo{Code::kTemplateSyntax, "template-syntax", kE, "braces, quotes or escapes of a template are wrong",
             "correct the template here: 'fensi help mapping' explains templates"},
    CodeInfo{Code::kUnknownReference, "unknown-reference", kE, "a reference that means nothing",
             "write {row}, or a column as {f1:from}"},
    CodeInfo{Code::kUnboundReference, "unbound-reference", kE, "a reference that needs another kind of 'each:'",
             "write a column as {f1:from}"},
    CodeInfo{Code::kUnknownFunction, "unknown-function", kE, "a function that fensi does not know",
             "'fensi help functions' lists all functions"},
    CodeInfo{Code::kWrongArguments, "wrong-arguments", kE, "number or form of a function's arguments",
             "'fensi help functions' shows each function with an example"},
    CodeInfo{
        Code::kTypeMismatch, "type-mismatch", kE, "a function gets a type it cannot take",
        "put a function that gives the needed type before this function: 'fensi help functions' lists all functions"},
    CodeInfo{Code::kNotBytes, "not-bytes", kE, "the result of a part of a template is not bytes",
             "end the part with a function that gives bytes: 'fensi help functions' lists all functions"},
    CodeInfo{Code::kBadName, "bad-name", kE, "a name that HBase or Kafka refuses or keeps for itself",
             "use letters, digits, '_', '-' and '.'"},
    CodeInfo{
        Code::kDuplicateName, "duplicate-name", kE,
        "two indexes would share what each must own, one would have what fensi owns, or one topic would hold messages "
        "of two kinds",
        "choose another name"},
    CodeInfo{Code::kBadColumn, "bad-column", kE, "a column is not 'family:qualifier'", "write family:qualifier"},
    CodeInfo{Code::kDuplicateColumn, "duplicate-column", kE, "two columns of an index are the same cell",
             "remove one of the two"},
    CodeInfo{Code::kBadEach, "bad-each", kE, "'each:' is neither a column pattern nor a list",
             "write a pattern of columns, or a template that gives a list"},
    CodeInfo{Code::kBadCondition, "bad-condition", kE, "a condition cannot be understood",
             "'fensi help mapping' shows the form of conditions"},
    CodeInfo{Code::kBadChoice, "bad-choice", kE, "a value that is not one of the choices",
             "write one of the possible values, or remove the key"},
    CodeInfo{Code::kBadNumber, "bad-number", kE, "not a number, or outside its range",
             "write a number of this range, or remove the key"},
    CodeInfo{Code::kBadDuration, "bad-duration", kE, "not a duration", "write a number and a unit, such as 12h"},
    CodeInfo{Code::kBadSplit, "bad-split", kE, "'split:' names none or several ways",
             "write one way, such as 'hex: 16'"},
    CodeInfo{Code::kFamilyNotCreated, "family-not-created", kE, "a column's family is missing in 'create:'",
             "add the family under 'create: families:'"},
    CodeInfo{Code::kExpireNeedsTtl, "expire-needs-ttl", kE, "'expire: exact' without a TTL of the family",
             "give the family a 'ttl' under 'create: families:'"},
    CodeInfo{Code::kExpireLeavesAnother, "expire-leaves-another", kE,
             "'expire: exact' where the end of a cell would bring another entry", "leave 'expire: exact' out"},
    CodeInfo{Code::kExpireMinVersions, "expire-min-versions", kE,
             "'expire: exact' with MIN_VERSIONS, which keeps cells beyond their TTL", "leave 'min_versions' out"},
    CodeInfo{Code::kSharedAndUnique, "shared-and-unique", kE, "'shared' and 'unique' exclude each other",
             "leave one of the two out"},
    CodeInfo{Code::kSharedMinVersions, "shared-min-versions", kE,
             "'shared' with TTL and MIN_VERSIONS, which keeps the newest versions of a cell for one source row only",
             "leave 'min_versions' out"},
    CodeInfo{Code::kNoExistence, "no-existence", kE, "no column decides whether the entry exists",
             "name a column with 'requires:'"},
    CodeInfo{Code::kRowsCollide, "rows-collide", kE, "two source rows can write one index cell",
             "put {row} into the row key or the qualifier"},
    CodeInfo{Code::kBadProto, "bad-proto", kE,
             "a file under 'protos:' cannot be used, or a message is not as described",
             "correct the file, or remove its name from 'protos:' and from the imports of other files"},
    CodeInfo{Code::kBadAvro, "bad-avro", kE, "a file under 'avros:' cannot be used",
             "correct the file, or remove its name from 'avros:'"},
    CodeInfo{Code::kBadPeriod, "bad-period", kE,
             "a period table without a time or without 'retention:', or 'retention:' without one",
             "give 'table:' a time and the index 'retention:', or neither"},
    CodeInfo{Code::kNotStateless, "not-stateless", kE,
             "'mode: stateless' where an index cell does not follow one source cell", "leave 'mode' out"},
    CodeInfo{Code::kBadChangelog, "bad-changelog", kE, "a field of a changelog's messages has no name of its own",
             "name columns of this index; 'fensi help mapping' shows the form of 'changelog:'"},
    CodeInfo{Code::kNoChangelog, "no-changelog", kE,
             "'changelog:' where fensi cannot tell the rows of the index before and after a change",
             "remove 'changelog'"},
    CodeInfo{Code::kKeyTooLong, "key-too-long", kE, "every row key would be longer than HBase takes",
             "leave parts of the row key out"},
    CodeInfo{Code::kKeyAmbiguous, "key-ambiguous", kE, "different parts can give the same row key",
             "end a part with '| terminated'"},
    CodeInfo{Code::kTimeCycle, "time-cycle", kW, "times in the key come round again while entries are still there"},
    CodeInfo{Code::kHashMayCollide, "hash-may-collide", kW, "only a hash tells source rows apart"},
    CodeInfo{Code::kGrowingKey, "growing-key", kW,
             "the key begins with a time or a number that grows: all writes go to one region"},
    CodeInfo{Code::kKeyWidth, "key-width", kW, "row keys are shorter than 10 or longer than 100 bytes"},
    CodeInfo{Code::kUnpaddedNumber, "unpadded-number", kW, "digits of different length in the key: order is lost"},
    CodeInfo{Code::kOpenPartInFront, "open-part-in-front", kW, "a prefix scan reads other values, too"},
    CodeInfo{Code::kNoRangeScan, "no-range-scan", kW, "a part of the key does not keep the order of its values"},
    CodeInfo{Code::kSalted, "salted", kW, "a reader must make one scan for every salt"},
    CodeInfo{Code::kDomainNotReversed, "domain-not-reversed", kW, "pages of one domain do not stand together"},
    CodeInfo{Code::kUnreachableSplit, "unreachable-split", kW, "a split that no key can reach"},
    CodeInfo{Code::kHashTooShort, "hash-too-short", kW, "a hash prefix has fewer values than there are regions"},
    CodeInfo{Code::kLongFamily, "long-family", kW, "every cell carries the family's name"},
    CodeInfo{Code::kManyFamilies, "many-families", kW, "families are flushed together"},
    CodeInfo{Code::kSeveralVersions, "several-versions", kW, "an index keeps more versions than it needs, or fewer"},
};

constexpr bool InOrder() {
  for (size_t i = 0; i < kCodes.size(); ++i) {
    if (static_cast<size_t>(kCodes[i].code) != i) return false;
  }
  return true;
}
static_assert(InOrder(), "kCodes must follow the order of Code");

}  // namespace

std::span<const CodeInfo> Codes() { return kCodes; }

const CodeInfo& Info(Code code) { return kCodes[static_cast<size_t>(code)]; }

}  // namespace fensi::mapping
