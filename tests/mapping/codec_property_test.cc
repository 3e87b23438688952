#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "base/bytes.h"
#include "mapping/functions/json_text.h"
#include "tests/mapping/mapping_testing.h"

namespace fensi::mapping {
namespace {

std::string Encode(const std::string& steps, const std::string& input) { return *Unescape(RunSteps(steps, input)); }

int Sign(int x) { return (x > 0) - (x < 0); }

// Strings in which zero bytes and their neighbours are frequent.
rc::Gen<std::string> Tricky() {
  return rc::gen::container<std::string>(rc::gen::element('\0', '\1', '\2', 'a', '\xff'));
}

RC_GTEST_PROP(Ordered, KeepsTheOrderOfAllNumbers, (int64_t a, int64_t b)) {
  const std::string x = Encode("| int | ordered", std::to_string(a));
  const std::string y = Encode("| int | ordered", std::to_string(b));
  RC_ASSERT(Sign(x.compare(y)) == (a > b) - (a < b));
}

RC_GTEST_PROP(Terminated, KeepsTheOrderWhateverFollows, ()) {
  const std::string a = *Tricky();
  const std::string b = *Tricky();
  const std::string x = Encode("| terminated", a) + *Tricky();
  const std::string y = Encode("| terminated", b) + *Tricky();
  if (a != b) RC_ASSERT(Sign(x.compare(y)) == Sign(a.compare(b)));
}

RC_GTEST_PROP(Terminated, IsNoPrefixOfAnother, ()) {
  const std::string a = *Tricky();
  const std::string b = *Tricky();
  if (a != b) RC_ASSERT(!Encode("| terminated", b).starts_with(Encode("| terminated", a)));
}

RC_GTEST_PROP(Integers, SurviveBytesAndBack, (int64_t n)) {
  RC_ASSERT(Encode("| int | to_be 8 | i64 | decimal", std::to_string(n)) == std::to_string(n));
}

RC_GTEST_PROP(Integers, OfFewerBytesSurviveOrAreRefused, (int32_t n)) {
  const std::string text = RunSteps("| int | to_be 4 | u32 | decimal", std::to_string(n));
  RC_ASSERT((n < 0 ? text.starts_with("unmappable") : text == std::to_string(n)));
}

RC_GTEST_PROP(Decimal, KeepsTheOrderOfPaddedNumbers, (uint32_t a, uint32_t b)) {
  const std::string x = Encode("| int | decimal 10", std::to_string(a));
  const std::string y = Encode("| int | decimal 10", std::to_string(b));
  RC_ASSERT(Sign(x.compare(y)) == (a > b) - (a < b));
}

RC_GTEST_PROP(Descending, TurnsTheOrderRound, (uint32_t a, uint32_t b)) {
  const std::string x = Encode("| int | descending | to_be 8", std::to_string(a));
  const std::string y = Encode("| int | descending | to_be 8", std::to_string(b));
  RC_ASSERT(Sign(x.compare(y)) == (a < b) - (a > b));
}

RC_GTEST_PROP(Time, SurvivesTextAndBack, (uint32_t seconds)) {
  const std::string text = std::to_string(seconds);
  const std::string steps = "| int | from_s | time %Y%m%d%H%M%S | parse_time %Y%m%d%H%M%S | seconds | decimal";
  RC_ASSERT(Encode(steps, text) == text);
}

// Documents with a byte or two taken out, put in or changed, judged by another parser.
RC_GTEST_PROP(Json, IsWhatAnotherParserTakesForJson, ()) {
  std::string text =
      *rc::gen::element<std::string>(R"({"a":[1,-0.1e1,true,null],"b":{"c":"\\u00e9\\n"}})",
                                     R"([ "x" , {} , [] , -1 ])", R"({"a":{"a":{"a":[[0]]}}})", R"("\\\"")", "10");
  const size_t changes = *rc::gen::inRange<size_t>(0, 3);
  for (size_t i = 0; i < changes && !text.empty(); ++i) {
    const size_t at = *rc::gen::inRange<size_t>(0, text.size());
    const char c = *rc::gen::element('0', '1', '-', '.', 'e', '"', '\\', '{', '}', '[', ']', ',', ':', ' ', 'n', 'u',
                                     '\n', '\xc3');
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        text.erase(at, 1);
        break;
      case 1:
        text.insert(at, 1, c);
        break;
      default:
        text[at] = c;
    }
  }
  std::optional<JsonValue> found;
  const JsonStep path[] = {{"a", std::nullopt}};
  RC_ASSERT(FindJson(text, path, &found) == nlohmann::json::accept(text));
}

}  // namespace
}  // namespace fensi::mapping
