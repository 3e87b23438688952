// Random conditions, written with random blanks and quotes, against an evaluation that knows nothing of templates.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "base/bytes.h"
#include "tests/mapping/mapping_testing.h"

namespace fensi::mapping {
namespace {

using Row = std::map<std::string, std::string>;  // qualifier to value

const std::vector<std::string> kColumns = {"a", "b", "c"};
// Values that a careless reader takes for syntax.
const std::vector<std::string> kTexts = {"",   "a",  "b",   "and",   "a b", "==",       "a]b", "{a}",         "1",
                                         "-2", "10", "a/b", "\"q\"", "\\",  "\xff\x00", "or",  "\xe5\x85\xb3"};
const std::vector<std::string> kComparisons = {"==", "!=", "<", "<=", ">", ">="};

struct RandomTest {
  std::string text;
  std::function<bool(const Row&)> holds;
};

std::string Blanks() { return std::string(*rc::gen::inRange<size_t>(0, 3), ' '); }

std::string Quoted(const std::string& value) {
  std::string out = "\"";
  for (char c : value) out += c == '"' ? "\\\"" : Escape(std::string(1, c));
  return out + "\"";
}

// Bare, when it may be.
std::string Written(const std::string& value) {
  const bool plain = value == "a" || value == "b";
  return plain && *rc::gen::arbitrary<bool>() ? value : Quoted(value);
}

std::optional<std::string> ValueOf(const Row& row, const std::string& column) {
  const auto found = row.find(column);
  return found == row.end() ? std::nullopt : std::optional(found->second);
}

template <typename T>
bool Compare(const std::string& comparison, const T& a, const T& b) {
  if (comparison == "==") return a == b;
  if (comparison == "!=") return a != b;
  if (comparison == "<") return a < b;
  if (comparison == "<=") return a <= b;
  if (comparison == ">") return a > b;
  return a >= b;
}

RandomTest Presence(const std::string& column) {
  const bool wanted = *rc::gen::arbitrary<bool>();
  return {(wanted ? "" : "not ") + Blanks() + "{f:" + column + "}",
          [=](const Row& row) { return row.contains(column) == wanted; }};
}

RandomTest Bytes(const std::string& column) {
  const std::string comparison = *rc::gen::elementOf(kComparisons);
  const std::string value = *rc::gen::elementOf(kTexts);
  return {"{f:" + column + "}" + Blanks() + comparison + Blanks() + Written(value), [=](const Row& row) {
            const auto left = ValueOf(row, column);
            return left && Compare(comparison, *left, value);
          }};
}

// The length of a value as a number: no value is unmappable.
RandomTest Numbers(const std::string& column) {
  const std::string comparison = *rc::gen::elementOf(kComparisons);
  const int64_t value = *rc::gen::inRange<int64_t>(-3, 300);
  return {"{f:" + column + " | first 1 | pad 1 \\x00 | u8}" + Blanks() + comparison + Blanks() + std::to_string(value),
          [=](const Row& row) {
            const auto left = ValueOf(row, column);
            if (!left) return false;
            const int64_t number = left->empty() ? 0 : static_cast<unsigned char>(left->front());
            return Compare(comparison, number, value);
          }};
}

RandomTest List(const std::string& column) {
  const auto values = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kTexts)));
  const bool in = *rc::gen::arbitrary<bool>();
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "[" : ",") + Blanks() + Written(value) + Blanks();
  return {"{f:" + column + "} " + Blanks() + (in ? "in" : "not  in") + Blanks() + text + "]", [=](const Row& row) {
            const auto left = ValueOf(row, column);
            return left && (std::find(values.begin(), values.end(), *left) != values.end()) == in;
          }};
}

RandomTest Matches(const std::string& column) {
  const auto [piece, written] = *rc::gen::element<std::pair<std::string, std::string>>(
      std::pair("a", "a"), std::pair("b", "b"), std::pair("q", "q"), std::pair("a/b", "a\\/b"), std::pair("\\", "\\\\"),
      std::pair("a/", "a[\\/]"));
  const bool matches = *rc::gen::arbitrary<bool>();
  return {"{f:" + column + "} " + (matches ? "matches" : "not matches") + Blanks() + "/" + written + "/",
          [column, matches, piece = piece](const Row& row) {
            const auto left = ValueOf(row, column);
            return left && (left->find(piece) != std::string::npos) == matches;
          }};
}

RandomTest AnyTest() {
  const std::string column = *rc::gen::elementOf(kColumns);
  switch (*rc::gen::inRange(0, 5)) {
    case 0:
      return Presence(column);
    case 1:
      return Bytes(column);
    case 2:
      return Numbers(column);
    case 3:
      return List(column);
    default:
      return Matches(column);
  }
}

Row AnyRow() {
  Row row;
  for (const std::string& column : kColumns) {
    if (*rc::gen::inRange(0, 3) > 0) row[column] = *rc::gen::elementOf(kTexts);
  }
  return row;
}

std::string YamlQuoted(const std::string& text) {
  std::string out = "'";
  for (char c : text) out += c == '\'' ? "''" : std::string(1, c);
  return out + "'";
}

bool HasEntry(const Index& index, const Row& row) {
  std::vector<VisibleCell> cells = {{"g", "v", 1, "x"}};
  for (const auto& [column, value] : row) cells.push_back({"f", column, 1, value});
  EntryList entries;
  std::vector<Unmappable> problems;
  index.Derive({"r", cells}, &entries, &problems);
  RC_ASSERT(problems.empty());
  return entries.size() == 1;
}

RC_GTEST_PROP(Conditions, HoldAsTheyAreWritten, ()) {
  std::vector<std::vector<RandomTest>> alternatives(*rc::gen::inRange<size_t>(1, 4));
  std::string text = Blanks();
  for (std::vector<RandomTest>& tests : alternatives) {
    if (&tests != &alternatives.front()) text += " or ";
    const size_t count = *rc::gen::inRange<size_t>(1, 4);
    for (size_t i = 0; i < count; ++i) {
      tests.push_back(AnyTest());
      text += (i > 0 ? " and " : "") + Blanks() + tests.back().text + Blanks();
    }
  }
  RC_LOG() << text;
  const auto index = LoadIndex({"row: '{row}'", "columns: { 'f:': '{g:v}' }", "when: [ " + YamlQuoted(text) + " ]"});
  // What is shown as understood means the same when it is typed.
  const auto again =
      LoadIndex({"row: '{row}'", "columns: { 'f:': '{g:v}' }", "when: [ " + YamlQuoted(index->conditions()[0]) + " ]"});
  RC_ASSERT(again->fingerprint() == index->fingerprint());
  for (int i = 0; i < 20; ++i) {
    const Row row = AnyRow();
    const bool expected = std::any_of(alternatives.begin(), alternatives.end(), [&](const auto& tests) {
      return std::all_of(tests.begin(), tests.end(), [&](const RandomTest& test) { return test.holds(row); });
    });
    RC_ASSERT(HasEntry(*index, row) == expected);
  }
}

// A condition with one byte taken out, put in or changed is refused, or is another condition: nothing dies, and nothing
// that was understood differently has the same fingerprint.
RC_GTEST_PROP(Conditions, AreNeverMistakenForOneAnother, ()) {
  const std::string good = AnyTest().text + " and " + AnyTest().text;
  std::string bad = good;
  const size_t at = *rc::gen::inRange<size_t>(0, bad.size());
  const char c = *rc::gen::element('=', '!', ' ', '"', '{', '}', '[', ']', 'a', '|', '<', '(', '\\', '/');
  switch (*rc::gen::inRange(0, 3)) {
    case 0:
      bad.erase(at, 1);
      break;
    case 1:
      bad.insert(at, 1, c);
      break;
    default:
      bad[at] = c;
  }
  const std::vector<std::string> lines = {"row: '{row}'", "columns: { 'f:': '{g:v}' }"};
  const auto load = [&lines](const std::string& text) {
    std::vector<std::string> all = lines;
    all.push_back("when: [ " + YamlQuoted(text) + " ]");
    return TryLoadIndex(all);
  };
  const auto one = load(good);
  const auto other = load(bad);
  if (other == nullptr) return;
  const bool same = one->conditions() == other->conditions();
  RC_ASSERT(same == (one->fingerprint() == other->fingerprint()));
  for (int i = 0; same && i < 5; ++i) {
    const Row row = AnyRow();
    RC_ASSERT(HasEntry(*one, row) == HasEntry(*other, row));
  }
}

}  // namespace
}  // namespace fensi::mapping
