// What Java's, HBase's and Phoenix' own classes write is read as they meant it (tests/data/types), comes back by the
// inverse, and sorts as the values do.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <random>

#include "base/bytes.h"
#include "mapping/functions/numbers_as_text.h"
#include "mapping/lookup/inverse.h"
#include "mapping/template/compile.h"
#include "tests/mapping/mapping_testing.h"

namespace fensi::mapping {
namespace {

struct Vector {
  std::string steps;
  std::string input;
  std::string output;
};

std::string FromHex(std::string_view digits) {
  std::string bytes;
  for (size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

const std::vector<Vector>& Vectors() {
  static const std::vector<Vector> all = [] {
    std::vector<Vector> vectors;
    std::ifstream file(InTree("tests/data/types/vectors.tsv"));
    for (std::string line; std::getline(file, line);) {
      const size_t first = line.find('\t'), second = line.find('\t', first + 1);
      vectors.push_back(
          {line.substr(0, first), FromHex(line.substr(first + 1, second - first - 1)), line.substr(second + 1)});
    }
    return vectors;
  }();
  return all;
}

TEST(Vectors, AreReadAsTheirWritersMeantThem) {
  ASSERT_GT(Vectors().size(), 3000U);
  size_t wrong = 0;
  for (const Vector& vector : Vectors()) {
    const std::string result = RunSteps(vector.steps, vector.input);
    if (*Unescape(result) == *Unescape(vector.output)) continue;
    EXPECT_EQ(result, vector.output) << vector.steps << " of " << EscapeAscii(vector.input);
    if (++wrong > 20) break;
  }
}

/// Row keys that UPSERT of Phoenix 5.2.1 wrote.
TEST(PhoenixKey, FieldsEndAsPhoenixEndsThem) {
  const std::string seven("\x80\0\0\0\0\0\0\x07", 8);
  const auto field = [&seven](const char* steps, std::string_view rest) {
    return RunSteps(steps, seven + std::string(rest));
  };
  const std::string ann = "\x9E\x91\x91\xFF";  // 'ann', descending
  EXPECT_EQ(field(R"(| phoenix_key "BIGINT, VARCHAR DESC" 1 | phoenix VARCHAR DESC)", ann), "ann");
  EXPECT_EQ(field(R"(| phoenix_key "BIGINT, VARCHAR DESC, VARCHAR" 2)", ann + "rome"), "rome");
  const std::string_view null_and_rome("\0rome", 5);
  EXPECT_EQ(field(R"(| phoenix_key "BIGINT, VARCHAR DESC, VARCHAR" 2)", null_and_rome), "rome");
  EXPECT_EQ(field(R"(| phoenix_key "BIGINT, VARCHAR DESC, VARCHAR" 1 | default NULL)", null_and_rome), "NULL");
  EXPECT_EQ(field(R"(| phoenix_key "BIGINT, VARCHAR" 1)", "rome"), "rome");
}

TEST(PhoenixKey, MustEndWithItsLastField) {
  const std::string salted("\x05\x80\0\0\0\0\0\0\x07", 9);
  EXPECT_EQ(RunSteps(R"(| phoenix_key "SALTED BIGINT" 0 | phoenix BIGINT | decimal)", salted), "7");
  EXPECT_TRUE(RunSteps(R"(| phoenix_key "BIGINT" 0 | phoenix BIGINT | decimal)", salted).starts_with("unmappable"));
  EXPECT_TRUE(RunSteps(R"(| phoenix_key "SALTED BIGINT, INTEGER" 0 | phoenix BIGINT | decimal)", salted + "\x80")
                  .starts_with("unmappable"));
  EXPECT_EQ(RunSteps(R"(| phoenix_key "SALTED BIGINT, VARCHAR, VARCHAR" 0 | phoenix BIGINT | decimal)", salted), "7");
}

TEST(PhoenixKey, TakesTypesAsTablesDeclareThem) {
  const std::string key("ab\0\xC1\x02", 5);
  EXPECT_EQ(RunSteps(R"x(| phoenix_key "varchar(20), DECIMAL(10,2)" 0)x", key), "ab");
  EXPECT_EQ(RunSteps(R"x(| phoenix_key "VARCHAR(20), DECIMAL(10,2) ASC" 1 | phoenix DECIMAL | plain)x", key), "1");
  std::vector<Slot> slots;
  EXPECT_FALSE(CompileText(R"x({row | phoenix_key "BIGINT, VARBINARY DESC" 0})x", &slots));
  EXPECT_FALSE(CompileText(R"x({row | phoenix_key "VARCHAR()" 0})x", &slots));
}

TEST(Phoenix, AnEmptyValueIsItsNull) {
  for (const char* steps : {"| phoenix BIGINT | decimal", "| phoenix DECIMAL DESC | plain", "| phoenix VARCHAR",
                            "| phoenix VARCHAR DESC", "| phoenix CHAR", "| phoenix BOOLEAN"}) {
    EXPECT_EQ(RunSteps(steps, ""), "absent") << steps;
  }
}

/// With so many nulls a count of them looks like an item: only the table at the end tells them apart.
TEST(PhoenixArray, ItemsBeginWhereItsTableSays) {
  const auto ends = [](std::string array, const std::vector<int>& positions, bool wide) {
    const auto put = [&array](uint32_t number, int bytes) {
      for (int i = bytes; i-- > 0;) array.push_back(static_cast<char>(number >> (8 * i)));
    };
    array += std::string(2, '\0');
    const auto table = static_cast<uint32_t>(array.size());
    const auto count = static_cast<uint32_t>(positions.size());
    for (const int position : positions) put(static_cast<uint32_t>(wide ? position : position - 32767), wide ? 4 : 2);
    put(table, 4);
    put(wide ? 0 - count : count, 4);
    put(1, 1);
    return array;
  };
  std::vector<int> positions(302, 2);  // a, 300 nulls, b
  positions.front() = 0;
  positions.back() = 5;
  const std::string body(
      "a\0\0\x01\xD3"
      "b\0",
      7);
  EXPECT_EQ(RunSteps("| phoenix_array VARCHAR", ends(body, positions, false)), "a, b");
  EXPECT_EQ(RunSteps("| phoenix_array VARCHAR", ends(body, positions, true)), "a, b");
  EXPECT_EQ(RunSteps("| phoenix_array VARCHAR", ends(std::string("a\0\0\xFF", 4), {0, 2}, false)), "a");
  EXPECT_TRUE(RunSteps("| phoenix_array VARCHAR", ends(body, {0, 90}, false)).starts_with("unmappable"));
}

TEST(PhoenixArray, ItemsOfCharHaveItsWidth) {
  EXPECT_EQ(RunSteps("| phoenix_array \"CHAR(3)\"", "ab cd "), "ab , cd ");
  EXPECT_TRUE(RunSteps("| phoenix_array char(3)", "ab c").starts_with("unmappable"));
  std::vector<Slot> slots;
  for (const char* type : {"CHAR", "\"SALTED CHAR(3)\"", "\"BIGINT, BIGINT\"", "\"BIGINT DESC\"", "\"CHAR(0)\""}) {
    EXPECT_FALSE(CompileText(std::string("{row | phoenix_array ") + type + "}", &slots)) << type;
  }
}

TEST(OrderedBytes, ABlobHasOneForm) {
  const std::string groups("\x37\xE1\xE2\xE3\xE4\xE5\xE6\xE7", 8);
  EXPECT_NE(RunSteps("| ordered_bytes BLOB | hex", groups + "h"),
            RunSteps("| ordered_bytes BLOB | hex", groups + std::string("\xE8\0", 2)));
}

TEST(Vectors, ComeBackByTheInverse) {
  size_t exact = 0;
  size_t good = 0;
  for (const Vector& vector : Vectors()) {
    const std::optional<Template> compiled = CompileSteps(vector.steps);
    ASSERT_TRUE(compiled) << vector.steps;
    const Part& part = compiled->parts[0];
    if (part.shape.type != Type::kBytes || Invertible(part, 0) == Inverse::kNone) continue;
    Scratch scratch;
    Value value{.bytes = vector.input};
    ASSERT_EQ(RunSteps(part, 0, part.steps.size(), &scratch, &value), Outcome::kValue) << vector.steps;
    const Inverse inverse = InvertPart(part, 0, &value, &scratch);
    ASSERT_NE(inverse, Inverse::kNone) << vector.steps << " of " << EscapeAscii(vector.input);
    if (inverse == Inverse::kExact) {
      ASSERT_EQ(value.bytes, vector.input) << vector.steps;
    }
    ++(inverse == Inverse::kExact ? exact : good);
  }
  EXPECT_GT(exact, 1500U);
  EXPECT_GT(good, 200U);
}

std::string Ordered(const char* steps, const std::string& text) { return *Unescape(RunSteps(steps, text)); }

TEST(Order, OfRealsIsThatOfTheirBytes) {
  std::mt19937_64 random(51);
  std::vector<double> reals = {0.0, -0.0, 1, -1, 0.1, -0.1, 1e308, -1e308, 5e-324, -5e-324, HUGE_VAL, -HUGE_VAL};
  while (reals.size() < 2000) {
    const auto any = std::bit_cast<double>(random());
    const auto near = std::bit_cast<double>(std::bit_cast<uint64_t>(reals[random() % reals.size()]) + random() % 3);
    for (const double real : {any, near}) {
      if (!std::isnan(real)) reals.push_back(real);
    }
  }
  std::sort(reals.begin(), reals.end());
  std::string last;
  double before = -HUGE_VAL;
  for (const double real : reals) {
    const std::string bytes = Ordered("| real | ordered", RealText(real));
    if (real > before) {
      EXPECT_GT(bytes, last) << RealText(before) << " and " << RealText(real);
    }
    EXPECT_EQ(RealOf(RankOf(real)), real);
    EXPECT_EQ(ParseReal(RealText(real)), real);
    before = real;
    last = bytes;
  }
  EXPECT_LT(Ordered("| real | ordered", "-0"), Ordered("| real | ordered", "0"));
}

/// Compares by sign, magnitude and digits, which the encoding does not.
bool Below(const Decimal& a, const Decimal& b) {
  const int sign_a = a.digits.empty() ? 0 : a.negative ? -1 : 1, sign_b = b.digits.empty() ? 0 : b.negative ? -1 : 1;
  if (sign_a != sign_b || sign_a == 0) return sign_a < sign_b;
  const bool smaller = a.point != b.point ? a.point < b.point : a.digits < b.digits;
  const bool equal = a.point == b.point && a.digits == b.digits;
  return !equal && smaller == (sign_a > 0);
}

TEST(Order, OfDecimalsIsThatOfTheirBytes) {
  std::mt19937_64 random(51);
  std::vector<Decimal> decimals(1);
  for (int i = 0; i < 2000; ++i) {
    Decimal decimal;
    decimal.negative = random() % 2 == 0;
    for (size_t digits = random() % 40 + 1; digits > 0; --digits) decimal.digits.push_back("0199"[random() % 4]);
    const int64_t spread[] = {3, 40, 500, 9000};
    decimal.point = static_cast<int64_t>(random() % 2000) * spread[random() % 4] / 1000 - spread[random() % 4];
    decimal.Normalize();
    if (std::abs(decimal.point) <= kMostPlaces) decimals.push_back(decimal);
  }
  std::sort(decimals.begin(), decimals.end(), Below);
  for (size_t i = 0; i < decimals.size(); ++i) {
    const std::string text = DecimalText(decimals[i]);
    const std::string bytes = EncodeDecimal(decimals[i]);
    EXPECT_EQ(EncodeDecimal(*ParseDecimal(text)), bytes) << text;
    std::string_view rest = bytes;
    EXPECT_EQ(DecimalText(*DecodeDecimal(&rest)), text);
    if (i > 0 && Below(decimals[i - 1], decimals[i])) {
      EXPECT_LT(EncodeDecimal(decimals[i - 1]), bytes) << text;
    }
  }
}

}  // namespace
}  // namespace fensi::mapping
