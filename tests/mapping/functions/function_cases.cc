#include "tests/mapping/functions/function_cases.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>

#include "base/bytes.h"
#include "mapping/functions/numbers_as_text.h"
#include "tests/mapping/mapping_testing.h"

namespace fensi::mapping {
namespace {

using Texts = std::vector<std::string>;

/// Arguments of functions that need some. Those with choices only, and those that need none, find theirs themselves.
const std::map<std::string_view, Texts>& ArgumentsOfFunctions() {
  static const Texts pieces = {"1", "2", "3", "8"};
  static const Texts sums = {"0", "5", "\"-5\"", "9223372036854775807", "\"-9223372036854775808\""};
  static const Texts divisors = {"1", "7", "256", "3600", "9223372036854775807"};
  static const Texts separators = {",", "a", "\"a,\"", "\\x00"};
  static const Texts formats = {"%Y-%m-%d", "%Y%m%d%H%M%S%L", "%d.%m.%Y", "%H:%M", "%m%%%d", "%Y"};
  static const std::map<std::string_view, Texts> all = {
      {"first", pieces},
      {"last", pieces},
      {"slice", {"0", "1", "0 1", "0 8", "1 2", "2 1", "3 9"}},
      {"split", {",", "a", "\",\" 0", "\",\" 1", "a 1", "\"a,\" 1"}},
      {"before", separators},
      {"after", separators},
      {"match", {"/a+/", "/(a)|,/ 1", "/\\d*/", "/\\p{L}/", "/[^\\xff]/"}},
      {"replace", {"a \"\"", "a bb", "ab c", "\"-\" \"--\"", "A a", "aa A"}},
      {"pad", {"1 0", "2 x", "3 \\x00", "9 0", "20 0"}},
      {"fixed", pieces},
      {"without", {"a", "-", "\\x00", "7"}},
      {"to_be", {"1", "3", "8"}},
      {"ordered", {"", "1", "4", "8"}},
      {"decimal", {"", "1", "5", "20", "40"}},
      {"add", sums},
      {"sub", sums},
      {"mul", {"0", "1", "7", "\"-1\"", "\"-3\"", "9223372036854775807", "\"-9223372036854775808\""}},
      {"div", divisors},
      {"mod", divisors},
      {"floor", divisors},
      {"salt", {"1", "3", "300"}},
      {"geohash", {"1", "2", "5", "12"}},
      {"mask", {"1", "8", "12", "24", "200"}},
      {"unscaled", {"0", "2", "10000"}},
      {"snowflake", {"", "0", "\"-5\"", "9223372036854775000", "\"-9223372036854775808\""}},
      {"json", {"$", "a", "a.b", "0", "tags[1]"}},
      {"json_list", {"$", "tags", "tags[*]", "[*].a"}},
      {"json_text", {"$", "a", "tags"}},
      {"proto", {"example.VisitorsInfo visitor.0.type", "example.VisitorsInfo visitor"}},
      {"avro", {"example.Order buyer.name", "example.Order cents", "types.All tags.0", "types.All by_key.a"}},
      {"avro_framed", {"7 example.Order state", "0 example.Order cents"}},
      {"ordered_field", {"0", "1"}},
      {"phoenix_key", {"\"BIGINT, VARCHAR\" 0", "\"VARCHAR DESC, CHAR(1)\" 0", "\"SALTED CHAR(1), VARCHAR\" 1"}},
      {"phoenix_array", {"BIGINT", "VARCHAR", "\"CHAR(1)\"", "DECIMAL"}},
      {"parse_time", formats},
      {"time",
       {"%Y%m%d", "%Y-%m-%dT%H:%M:%S.%L", "%d.%m.%Y", "%H", "%L", "%y%j", "%Y Test/Half", "%H:%M Test/Back",
        "%Y%m%d%H Test/Back", "%Y%m%d +08:00", "%H -01:30"}},
      {"iso_time", {"", "+08:00", "Test/Half", "Test/Back"}},
      {"collate", {"und", "de", "sv", "zh-u-co-stroke", "de-u-ks-level1", "de-u-ks-identic"}},
  };
  return all;
}

Texts Words(std::string_view text) {
  Texts words;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

/// All choices of all parameters; nothing: one of them is no choice.
Texts AllChoices(const Function& function) {
  Texts all = {""};
  for (const Parameter& parameter : function.parameters) {
    if (parameter.kind != ArgumentKind::kChoice) return parameter.optional ? all : Texts();
    Texts longer = parameter.optional ? all : Texts();
    for (const std::string& before : all) {
      for (const std::string& word : Words(parameter.choices)) longer.push_back(before + " " + word);
    }
    all = std::move(longer);
  }
  return all;
}

Texts ArgumentsOf(const Function& function) {
  const auto found = ArgumentsOfFunctions().find(function.name);
  return found == ArgumentsOfFunctions().end() ? AllChoices(function) : found->second;
}

struct Reader {
  Type type;
  const char* steps;
};
constexpr Reader kReaders[] = {{Type::kBytes, ""},
                               {Type::kInteger, "| i64 "},
                               {Type::kTime, "| i64 | from_ms "},
                               {Type::kReal, "| f64 "},
                               {Type::kDecimal, "| number "}};

void AddTexts(std::vector<std::string>* values) {
  for (const char* text : {"https://ann@Example.COM:8080/a?b#c",
                           "HTTP://A",
                           "HTTP://%45X%c3%A9.ORG:/?Q#F",
                           "FTP://[2001:DB8::1]:21/x",
                           "//A.b",
                           "mailto:A@B",
                           "A:",
                           "x://a@b@c",
                           "//a:b",
                           "1:2",
                           "/a/b?c",
                           "?",
                           "#",
                           "file:///A",
                           "//[v1.A:]",
                           "//%2D%2d%41",
                           "X://U%41@%7a",
                           "57.64911,10.40744",
                           "-90, 180",
                           "point(-180 90)",
                           "2016-12-19",
                           "20161219100203042",
                           "19.12.2016",
                           "23:59",
                           "12%19",
                           "9999",
                           "0000-01-01",
                           "2016-12-19T10:02:03.5+08:00",
                           "2016-12-19T10:02Z",
                           "2015-12-31T23:45",
                           "2016-01-01 00:59:59",
                           "1482125382074",
                           "-1",
                           "+007",
                           "007",
                           "9223372036854775807",
                           "-9223372036854775808",
                           "1.5",
                           "-0.0",
                           "19.90",
                           "1e300",
                           "-1e-300",
                           "Infinity",
                           "1e9000",
                           ".5",
                           "123456789012345678901234567890.5",
                           "{\"a\":{\"b\":[1]}}",
                           "{\"a\":1,\"tags\":[\"x\",2,null]}",
                           "[\"7\",{\"a\":\"A\"}]",
                           "[[]]",
                           "\"s\"",
                           " true ",
                           "ÄPFEL Ω",
                           "ἈΔΕΛΦΌΣ",
                           "straße",
                           "e\xCC\x81",
                           "ﬁ１",
                           "İ",
                           "ŉ",
                           "關注",
                           "𝔸",
                           "a,b,,A",
                           "ab-cd-ab",
                           " a ",
                           "a.b.C",
                           "..",
                           "123E4567-e89b-12d3-a456-426614174000",
                           "01ARZ3NDEKTSV4RRFFQ69G5FAV",
                           "192.0.2.17",
                           "::FFFF:192.0.2.1",
                           "2001:DB8::1",
                           "0aFf",
                           "+_9h",
                           "YWI=",
                           "YWI",
                           "aaa",
                           "aaaa",
                           "0123456789abcdef",
                           "0123456789abcdefg"}) {
    values->emplace_back(text);
  }
}

}  // namespace

std::vector<FunctionCase> FunctionCases(std::vector<std::string>* missing) {
  std::vector<FunctionCase> cases;
  for (const Function& function : Functions()) {
    const size_t before = cases.size();
    for (const Reader& reader : kReaders) {
      if ((function.inputs & Takes(reader.type)) == 0) continue;
      for (const std::string& arguments : ArgumentsOf(function)) {
        const std::string steps = reader.steps + ("| " + std::string(function.name)) + " " + arguments;
        const std::optional<Template> compiled = CompileSteps(steps);
        if (!compiled || compiled->parts[0].steps.back().function != &function) continue;  // of its other type
        cases.push_back({steps, reader.type, compiled->parts[0].steps.back()});
      }
    }
    if (cases.size() == before) missing->emplace_back(function.name);
  }
  return cases;
}

Held HeldOf(Type type, const Value& value) {
  if (IsRanked(type)) return {"", value.number};
  return {type == Type::kList ? "" : std::string(value.bytes), 0};
}

std::string HeldText(const Held& held) { return "\"" + EscapeAscii(held.bytes) + "\" " + std::to_string(held.number); }

std::vector<std::string> ShortValues() {
  std::vector<std::string> values = {""};
  for (int a = 0; a < 256; ++a) {
    values.emplace_back(1, static_cast<char>(a));
    for (int b = 0; b < 256; ++b) values.push_back({static_cast<char>(a), static_cast<char>(b)});
  }
  return values;
}

std::vector<std::string> EdgeValues() {
  std::vector<std::string> values = {"", std::string("a\0b\0", 4), std::string(16, '\xff'), std::string(8, '\0')};
  for (int a = 0; a < 256; ++a) values.emplace_back(1, static_cast<char>(a));
  AddTexts(&values);
  std::ifstream vectors(InTree("tests/data/types/vectors.tsv"));
  for (std::string line; std::getline(vectors, line);) {
    const size_t first = line.find('\t'), second = line.find('\t', first + 1);
    std::string escaped;
    for (size_t i = first + 1; i + 1 < second; i += 2) escaped += "\\x" + line.substr(i, 2);
    values.push_back(*Unescape(escaped));
  }
  Scratch scratch;
  for (const int64_t number : EdgeNumbers()) {
    values.push_back(std::to_string(number));
    for (const size_t width : {2, 4, 8}) {
      values.emplace_back(scratch.KeepBigEndian(static_cast<uint64_t>(number), width));
      values.emplace_back(values.back().rbegin(), values.back().rend());
    }
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::vector<int64_t> EdgeNumbers() {
  std::set<int64_t> numbers = {INT64_MIN, INT64_MAX, 1'482'125'382'074, 1'451'606'399'999, 1'451'606'400'000};
  const auto around = [&numbers](int64_t number) {
    for (const int64_t step : {-1, 0, 1}) {
      numbers.insert(number + step);
      numbers.insert(-(number + step));
    }
  };
  for (int bit = 0; bit < 63; ++bit) around(int64_t{1} << bit);
  for (int64_t ten = 1; ten < INT64_MAX / 10; ten *= 10) around(ten);
  for (const int64_t day : {3'600'000LL, 86'400'000LL, 253'402'300'800'000LL, 62'167'219'200'000LL}) around(day);
  return {numbers.begin(), numbers.end()};
}

std::vector<int64_t> EdgeRanks() {
  std::set<int64_t> ranks;
  for (const double real :
       {0.0, 0.1, 1.0, 1.5, 2.0, 5e-324, 1e-45, 1e-40, 3.4028234663852886e38, 1e39, 1e300, HUGE_VAL}) {
    for (const double one : {real, -real, static_cast<double>(static_cast<float>(real))}) ranks.insert(RankOf(one));
  }
  return {ranks.begin(), ranks.end()};
}

std::vector<std::string> EdgeDecimals() {
  std::vector<std::string> decimals;
  for (const char* text : {"-1e9000", "-1e40", "-12.5", "-1", "-0.001", "-1e-9000", "0", "1e-9000", "0.1", "1", "19.9",
                           "123456789012345678901234567890.5", "1e40", "1e9000"}) {
    decimals.push_back(EncodeDecimal(*ParseDecimal(text)));
  }
  return decimals;
}

}  // namespace fensi::mapping
