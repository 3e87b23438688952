// What is guessed about a table, and that every file made of it is a legal mapping without a warning.
#include "mapping/mapping_draft.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "tests/mapping/starter/starter_testing.h"
#include "tests/support/matchers.h"

namespace fensi::mapping {
namespace {

std::string Checked(const TableSample& sample) {
  const std::string text = DraftMapping(sample).text;
  EXPECT_EQ(Complaints(text), "") << text;
  EXPECT_EQ(Complaints(WithAllProposals(text)), "") << WithAllProposals(text);
  return text;
}

std::vector<TestRow> Orders() {
  std::vector<TestRow> rows;
  for (int i = 10; i < 40; ++i) {
    const std::string n = std::to_string(i);
    rows.push_back({"order" + n,
                    {{"o:buyer", "buyer" + n},
                     {"o:host", "www.example" + std::to_string(i % 7) + ".com"},
                     {"o:seller", "s" + std::to_string(i % 3)},
                     {"o:state", "open"},
                     {"o:time", "14821253820" + n}}});
  }
  return rows;
}

TEST(MappingDraft, PutsTheColumnFirstThatManyRowsShareAndOrdersItByTheTime) {
  const std::string text = Checked(SampleOf("orders", Orders()));
  EXPECT_THAT(text, HasSubstr("indexes:\n  # Which rows have a given o:host?"));
  EXPECT_THAT(text, HasSubstr("row: '{o:host | reverse_domain | terminated}{o:time | int | decimal 13}{row}'"));
  EXPECT_THAT(text,
              HasSubstr("  # orders-by-seller:\n  #   table: orders_by_seller\n  #   row: '{o:seller | terminated}"));
  EXPECT_THAT(text, HasSubstr("#   o:time          in 30 rows: 13 digits: milliseconds since 1970, 30 different"));
}

TEST(MappingDraft, SaysWhatEachIndexCostsAndWhichKeyCollectsTooMuch) {
  const TableSample sample = SampleOf("orders", Orders());
  const std::string text = Checked(sample);
  EXPECT_THAT(text,
              HasSubstr("  # Costs: 30 rows of 30 of the sample make 30 entries of 39 bytes, one row up to 1; the "
                        "largest index row has 1 cell.\n"
                        "  # A change of a row puts up to 1 cell, removes as many, and writes one state.\n"));
  EXPECT_THAT(text,
              HasSubstr("The largest key is 's0', with 33 % of the entries.\n  # WARNING: more than one entry in a"));
  EXPECT_THAT(DraftMapping(sample).skews,
              ::testing::Contains("index orders-by-seller: key 's0' would collect about 33 % of the entries (10 of 30 "
                                  "in the sample). Add a part to its row key, or a condition ('when:')"));
}

TEST(MappingDraft, DoesNotTakeAPairInASmallSampleForAHotKey) {
  EXPECT_THAT(DraftMapping(SampleOf("t", {{"r", {{"f:name", "n"}}}})).skews, ::testing::IsEmpty());
  std::vector<TestRow> rows;
  for (int i = 0; i < 100; ++i) rows.push_back({"r" + std::to_string(i), {{"f:name", "n" + std::to_string(i / 2)}}});
  EXPECT_THAT(DraftMapping(SampleOf("t", rows)).skews, ::testing::IsEmpty());
  for (size_t i = 0; i < 12; ++i) rows[i].cells[0].second = "n0";
  EXPECT_THAT(DraftMapping(SampleOf("t", rows)).skews, ::testing::SizeIs(1));
}

/// 200 rows of a table in which `hot` of a thousand have one key, and the others one of 200 keys.
std::vector<std::string> SkewsOfRandomTable(int hot, std::mt19937* random) {
  std::vector<TestRow> rows;
  for (int i = 0; i < 200; ++i) {
    const bool is_hot = static_cast<int>((*random)() % 1000) < hot;
    const std::string key = is_hot ? "hot" : "k" + std::to_string((*random)() % 200);
    rows.push_back({"r" + std::to_string(i), {{"f:name", key}}});
  }
  return DraftMapping(SampleOf("t", rows)).skews;
}

TEST(MappingDraft, WarnsOfHotKeysAndOfFewHealthyTables) {
  std::mt19937 random(20161220);
  int healthy = 0, skewed = 0;
  for (int table = 0; table < 100; ++table) {
    healthy += SkewsOfRandomTable(0, &random).empty() ? 0 : 1;
    skewed += SkewsOfRandomTable(100, &random).empty() ? 0 : 1;
  }
  EXPECT_LE(healthy, 3);
  EXPECT_GE(skewed, 95);
}

TEST(MappingDraft, OfDataInQualifiersCountsTheColumnsOfARow) {
  std::vector<TestRow> rows = {{"a", {{"f1:b", "y"}, {"f1:c", "y"}, {"f1:d", "y"}}}, {"c", {{"f1:b", "y"}}}};
  const std::string text = Checked(SampleOf("guanzhu", rows));
  EXPECT_THAT(text, AllOf(HasSubstr("2 rows of 2 of the sample make 4 entries"), HasSubstr("one row up to 3;"),
                          HasSubstr("# A change of a column puts up to 1 cell, removes as many"),
                          HasSubstr("# The largest key is 'b', with 50 % of the entries.")));
}

TEST(MappingDraft, OffersATimeAloneBehindASaltOnly) {
  const std::string text = Checked(SampleOf("orders", Orders()));
  EXPECT_THAT(text, HasSubstr("row: '{row | salt 16}{o:time | int | decimal 13}{row}'"));
}

TEST(MappingDraft, HasARowOfTheSampleAsATest) {
  const std::string text = Checked(SampleOf("guanzhu", {{"a", {{"f1:from", "b"}}}, {"b", {{"f1:from", "it's"}}}}));
  EXPECT_THAT(text, HasSubstr("      - { put: 'a', 'f1:from': 'b', ts: 1 }\n    expect:\n      guanzhu-by-from:\n"
                              "        'b\\x00\\x00a': { 'i:': '' }\n"));
}

TEST(MappingDraft, LeavesARowWithAKeyThatYamlDoesNotTakeOutOfTheTest) {
  for (const size_t length : {1'000, 1'015, 1'020, 1'024, 1'100, 32'000}) {
    Checked(SampleOf("t", {{"a", {{"f:" + std::string(length, 'q'), "b"}}}}));
    Checked(SampleOf("t", {{std::string(length, 'r'), {{"f:q", "b"}}}}));
  }
  const std::string text = Checked(SampleOf("t", {{std::string(1'100, 'r'), {{"f:q", "b"}}}, {"s", {{"f:q", "c"}}}}));
  EXPECT_THAT(text, HasSubstr("- { put: 's',"));
}

TEST(MappingDraft, SeesQualifiersThatAreData) {
  const TableSample follow =
      SampleOf("guanzhu", {{"a", {{"f1:b", "follows"}, {"f1:c", "follows"}}}, {"c", {{"f1:b", "follows"}}}});
  const std::string text = Checked(follow);
  EXPECT_THAT(text, HasSubstr("each: 'f1:*'\n    row: '{qualifier | terminated}{row}'"));
  EXPECT_THAT(text, HasSubstr("#   f1:*            in 2 rows, the qualifiers are data: text of 1 byte, 2 different"));
}

TEST(MappingDraft, SeesAPrefixOfQualifiersThatAreDataBesideNames) {
  std::vector<TestRow> rows;
  for (int i = 0; i < 20; ++i) {
    const std::string n = std::to_string(i);
    rows.push_back({"r" + n, {{"f:name", "n" + std::to_string(i % 5)}, {"f:tag_" + std::string(1, 'a' + i), n}}});
  }
  const std::string text = Checked(SampleOf("things", rows));
  EXPECT_THAT(text, HasSubstr("row: '{f:name | terminated}{row}'"));
  EXPECT_THAT(text, HasSubstr("each: 'f:tag_*'\n  #   row: '{qualifier | slice 4 | terminated}{row}'"));
}

TEST(MappingDraft, SeesManyColumnsOfOneKindAsData) {
  TestRow row{"20161219-url", {}};
  for (char c = 'a'; c <= 'z'; ++c) row.cells.push_back({std::string("p:") + c + c, std::to_string(c)});
  EXPECT_THAT(Checked(SampleOf("visits", {row})), HasSubstr("each: 'p:*'"));
}

TEST(MappingDraft, KeepsOptionalColumnsAsNames) {
  std::vector<TestRow> rows = Orders();
  rows[3].cells.push_back({"o:note", "fragile"});
  rows[9].cells.push_back({"o:gift", "yes"});
  EXPECT_THAT(Checked(SampleOf("orders", rows)),
              AllOf(HasSubstr("#   o:note          in 1 row: "), Not(HasSubstr("each:"))));
}

TEST(MappingDraft, SeesAHashPrefixOfTheRowKey) {
  const std::string text = Checked(SampleOf("t", {{"9bf0-abc001", {{"f:q", "v"}}}, {"7006-abc002", {{"f:q", "w"}}}}));
  EXPECT_THAT(text, HasSubstr("#   row keys        begin with 4 hex digits of the md5 of what follows"));
  EXPECT_THAT(text, HasSubstr("row: '{row | slice 5 | terminated}{row}'"));
}

TEST(MappingDraft, SeesPartsOfTheRowKeyWithASeparatorBetween) {
  const std::string text = Checked(
      SampleOf("m", {{"cpu#9223370611524018122", {{"m:v", "1.5"}}}, {"disk#9223370611524018121", {{"m:v", "0.5"}}}}));
  EXPECT_THAT(text, HasSubstr("have 2 parts with '#' between"));
  EXPECT_THAT(text, HasSubstr("#     part 2        19 digits: Long.MAX_VALUE - milliseconds, newest first"));
}

TEST(MappingDraft, ReadsNumbersAsTheyAreStored) {
  using std::string_literals::operator""s;
  const std::string text = Checked(SampleOf(
      "n",
      {{"\0\0\0\1"s, {{"f:age", "7"}, {"f:code", "007"}, {"f:long", "\0\0\0\0\0\0\0\7"s}, {"f:small", "\0\0\0\7"s}}},
       {"\0\0\0\2"s,
        {{"f:age", "-12"}, {"f:code", "011"}, {"f:long", "\0\0\0\0\0\0\1\7"s}, {"f:small", "\0\0\1\7"s}}}}));
  for (const char* row : {"{f:age | int | ordered}{row}", "{f:code | terminated}{row}", "{f:long | i64 | ordered}{row}",
                          "{f:small | i32 | ordered 4}{row}"}) {
    EXPECT_THAT(text, HasSubstr(row));
  }
  EXPECT_THAT(text, HasSubstr("#   row keys        are 4 bytes: an int"));
}

TEST(MappingDraft, PromisesRangesOfNumbersOnlyAsFarAsTheirKeysKeepTheOrder) {
  const auto of = [](const std::string& one, const std::string& other) {
    return Checked(SampleOf("n", {{"r1", {{"f:q", one}}}, {"r2", {{"f:q", other}}}}));
  };
  constexpr char kAny[] = "  # The numbers in the key keep their order, so a lookup can ask for a range.\n";
  constexpr char kText[] =
      "  # The key orders the values as text. This is the order of the numbers if all have 2 digits.\n"
      "  # Then a lookup can ask for a range. For numbers of any length, and no other values, write\n"
      "  # '{f:q | int | ordered}' in its place.\n";
  EXPECT_THAT(of("17", "42"), AllOf(HasSubstr("'{f:q | terminated}{row}'"), HasSubstr(kText), Not(HasSubstr(kAny))));
  EXPECT_THAT(of("7", "142"), AllOf(HasSubstr("'{f:q | int | ordered}{row}'"), HasSubstr(kAny), Not(HasSubstr(kText))));
  EXPECT_THAT(of("-7", "42"), AllOf(HasSubstr("'{f:q | int | ordered}{row}'"), HasSubstr(kAny), Not(HasSubstr(kText))))
      << "of one width, and -7 stands behind -42 as text";
}

TEST(MappingDraft, TakesLargeAndPackedValuesForNoKeys) {
  const std::string text = Checked(SampleOf(
      "t", {{"a", {{"f:doc", "{\"a\": []}"}, {"f:page", std::string(5000, 'x')}, {"f:raw", "\xff\xfe\xfd"}}}}));
  EXPECT_THAT(text, HasSubstr("Nothing in the sample looks like a key"));
}

std::string BigEndian(uint64_t bits, int bytes) {
  std::string out;
  for (int i = bytes - 1; i >= 0; --i) out.push_back(static_cast<char>(bits >> (8 * i)));
  return out;
}

TEST(MappingDraft, RecognisesWhatJavaPhoenixAndOthersWriteAndSaysHowSureItIs) {
  std::vector<TestRow> rows;
  for (int i = 0; i < 30; ++i) {
    const std::string n = std::to_string(10 + i);
    const double price = 2.5 * i - 10;
    const auto bits = std::bit_cast<uint64_t>(price);
    const uint64_t ordered = ((bits >> 63) != 0 ? ~bits : bits | uint64_t{1} << 63) + 1;
    rows.push_back({"r" + n,
                    {{"o:double", BigEndian(bits, 8)},
                     {"o:float", BigEndian(std::bit_cast<uint32_t>(static_cast<float>(price)), 4)},
                     {"o:iso", "2016-12-19T05:" + n + ":00+08:00"},
                     {"o:long", BigEndian(static_cast<uint64_t>(i - 5), 8)},
                     {"o:phx", BigEndian(static_cast<uint64_t>(i - 5) ^ uint64_t{1} << 63, 8)},
                     {"o:phxd", BigEndian(ordered, 8)},
                     {"o:phxi", BigEndian(static_cast<uint32_t>(i - 5) ^ uint32_t{1} << 31, 4)},
                     {"o:price", n + ".90"},
                     {"o:uuid", "123e4567-e89b-12d3-a456-4266141740" + n}}});
  }
  const std::string text = Checked(SampleOf("t", rows));
  EXPECT_THAT(text,
              HasSubstr("o:double        in 30 rows: 8 bytes: a double, as Bytes.toBytes writes it (almost sure, by "
                        "30 values)"));
  EXPECT_THAT(text, HasSubstr("o:float         in 30 rows: 4 bytes: a float, as"));
  EXPECT_THAT(text, HasSubstr("o:iso           in 30 rows: times in ISO 8601"));
  EXPECT_THAT(text, HasSubstr("o:long          in 30 rows: 8 bytes: a long, as"));
  EXPECT_THAT(text, HasSubstr("o:phx           in 30 rows: 8 bytes: a BIGINT of Phoenix"));
  EXPECT_THAT(text, HasSubstr("o:phxd          in 30 rows: 8 bytes: a DOUBLE of Phoenix"));
  EXPECT_THAT(text, HasSubstr("o:phxi          in 30 rows: 4 bytes: an INTEGER of Phoenix"));
  EXPECT_THAT(text, HasSubstr("o:price         in 30 rows: numbers with a point"));
  EXPECT_THAT(text, HasSubstr("o:uuid          in 30 rows: UUIDs as text"));
  for (const char* part :
       {"{o:double | f64 | ordered}", "{o:float | f32 | ordered 4}", "{o:iso | iso_time | ordered}",
        "{o:long | i64 | ordered}", "{o:phx | phoenix BIGINT | ordered}", "{o:phxd | phoenix DOUBLE | ordered}",
        "{o:phxi | phoenix INTEGER | ordered 4}", "{o:price | number | ordered | terminated}", "{o:uuid | uuid}"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

TEST(MappingDraft, CallsItAGuessWhereFewValuesAgree) {
  const std::string text = Checked(SampleOf("t", {{"a", {{"o:p", BigEndian(std::bit_cast<uint64_t>(2.5), 8)}}}}));
  EXPECT_THAT(text, HasSubstr("a double, as Bytes.toBytes writes it (a guess, by 1 value)"));
}

TEST(MappingDraft, LooksIntoDocumentsForTheirFields) {
  std::vector<TestRow> rows;
  for (int i = 0; i < 10; ++i) {
    const std::string n = std::to_string(i);
    rows.push_back({"r" + n,
                    {{"d:doc", R"({"city": "c)" + n + R"(", "at": "2016-12-19T05:29:4)" + n +
                                   R"(Z", "http.method": "GET", "price": 19.9)" + n + R"(, "tags": ["a"]})"}}});
  }
  const std::string text = Checked(SampleOf("docs", rows));
  EXPECT_THAT(text, HasSubstr("#     .city         in 10 rows: text of 2 bytes"));
  EXPECT_THAT(text, HasSubstr("{d:doc | json city | terminated}{d:doc | json at | iso_time | ordered}{row}"));
  EXPECT_THAT(text, HasSubstr("{d:doc | json \"[\\\"http.method\\\"]\" | terminated}"));
  EXPECT_THAT(text, HasSubstr("{d:doc | json price | number | ordered | terminated}"));
  EXPECT_THAT(text, Not(HasSubstr("json tags")));
}

std::string OfDocuments(const std::vector<std::string>& documents) {
  std::vector<TestRow> rows;
  for (size_t i = 0; i < documents.size(); ++i) rows.push_back({"r" + std::to_string(i), {{"d:doc", documents[i]}}});
  return Checked(SampleOf("docs", rows));
}

TEST(MappingDraft, LooksIntoNestedDocumentsAndTheItemsOfTheirLists) {
  const std::string text = OfDocuments(
      {R"({"user": {"name": "ann", "home town": {"名字": "关注"}}, "tags": ["a", "b"], "items": [{"sku": "s1", "n": 7}]})",
       R"({"user": {"name": "bob", "home town": {"名字": "x"}}, "tags": ["c", null], "items": [{"sku": "s2", "n": 12}]})"});
  for (const char* part : {"row: '{d:doc | json user.name | terminated}{row}'",
                           "row: '{d:doc | json \"user[\\\"home town\\\"][\\\"名字\\\"]\" | terminated}{row}'",
                           "each: '{d:doc | json_list tags}'\n  #   row: '{item | terminated}{row}'",
                           "each: '{d:doc | json_list items[*].sku}'\n    row: '{item | terminated}{row}'",
                           "each: '{d:doc | json_list items[*].n}'\n  #   row: '{item | int | ordered}{row}'",
                           "#     .user.name    in 2 rows: text of 3 bytes",
                           "#     .tags         in 2 rows, items of a list: text of 1 byte"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

TEST(MappingDraft, OffersNoFieldThatSomeDocumentsHaveOtherwise) {
  const std::string text = OfDocuments(
      {R"({"name": "n1", "a": "x", "b": ["x"], "c": ["x"], "d": [{"e": "x"}], "f": [["x"]], "g": [{"h": "x"}]})",
       R"({"name": "n2", "a": {"z": 1}, "b": "y", "c": [{"z": 1}], "d": "y", "f": [["y"]], "g": [{"h": ["y"]}]})"});
  EXPECT_THAT(text, HasSubstr("row: '{d:doc | json name | terminated}{row}'"));
  for (const char* path : {"json a ", "json b ", "json_list b}", "json_list c}", "json_list d[*].e}", "json_list f}",
                           "json_list g[*].h}"}) {
    EXPECT_THAT(text, Not(HasSubstr(path)));
  }
}

TEST(MappingDraft, OfAnEnvelopeOfChangesTakesTheRowAsItIsNow) {
  std::vector<std::string> documents;
  for (int i = 10; i < 40; ++i) {
    const std::string n = std::to_string(i);
    documents.push_back(R"({"schema": {"name": "v)" + n + R"("}, "payload": {"before": {"city": "b)" + n +
                        R"("}, "after": {"city": "a)" + n + R"("}, "source": {"db": "shop"}}})");
  }
  const std::string text = OfDocuments(documents);
  EXPECT_THAT(text, HasSubstr("json payload.after.city | terminated}"));
  EXPECT_THAT(text, AllOf(Not(HasSubstr(".before")), Not(HasSubstr(".schema"))));
  EXPECT_THAT(text, HasSubstr("#     .payload.source.db in 30 rows: text of 4 bytes, always the same"));
  EXPECT_THAT(text, Not(HasSubstr("json payload.source.db")));
}

TEST(MappingDraft, TakesDocumentsOnSeveralLinesForDocuments) {
  const std::string text = OfDocuments({"{\n\t\"city\": \"c1\"\r\n}\n", "{ \"city\": \"c2\" }"});
  EXPECT_THAT(text, HasSubstr("row: '{d:doc | json city | terminated}{row}'"));
}

TEST(MappingDraft, ReadsTimesInTheirUnitAndTellsThemFromOtherLongNumbers) {
  const auto of = [](const std::string& one, const std::string& other) {
    return Checked(SampleOf("n", {{"r1", {{"f:q", one}}}, {"r2", {{"f:q", other}}}}));
  };
  EXPECT_THAT(of("1482125382", "1482125383"), HasSubstr("{row | salt 16}{f:q | int | from_s | ordered}"))
      << "by which a lookup takes times as bounds";
  EXPECT_THAT(of("1482125382074001", "1482125382074002"), HasSubstr("{row | salt 16}{f:q | int | from_us | ordered}"));
  EXPECT_THAT(of("1482125382074001000", "1482125382074002000"), HasSubstr("{f:q | int | from_ns | ordered}"));
  EXPECT_THAT(of("1541815603606036480", "1541815603606036481"), Not(HasSubstr("from_ns"))) << "numbers of Snowflake";
  EXPECT_THAT(of("4111111111111111", "5500000000000004"), Not(HasSubstr("from_us"))) << "numbers of cards";
  EXPECT_THAT(of("1234567890123456789", "12345678901234567890"),
              AllOf(HasSubstr("'{f:q | number | ordered | terminated}{row}'"), HasSubstr("digits, beyond 64 bits")));
  EXPECT_THAT(of("12345678901234567890", "12345678901234567891"), HasSubstr("'{f:q | terminated}{row}'"));
  EXPECT_THAT(of("0.5", "2e-05"), HasSubstr("'{f:q | number | ordered | terminated}{row}'"));
  EXPECT_THAT(of("1e5", "2e6"), HasSubstr("'{f:q | terminated}{row}'")) << "perhaps codes";
}

TEST(MappingDraft, OffersEachTimeOfARow) {
  std::vector<TestRow> rows = Orders();
  for (TestRow& row : rows) row.cells.push_back({"o:sent", "2016-12-19T05:29:42Z"});
  const std::string text = Checked(SampleOf("orders", rows));
  EXPECT_THAT(text, HasSubstr("row: '{row | salt 16}{o:time | int | decimal 13}{row}'"));
  EXPECT_THAT(text, HasSubstr("row: '{row | salt 16}{o:sent | iso_time | ordered}{row}'"));
}

TEST(MappingDraft, TakesALetterInFrontOfANumberForNoHash) {
  std::vector<TestRow> numbers, hashes;
  for (int i = 10; i < 40; ++i) {
    const std::string n = std::to_string(i);
    numbers.push_back({"d00000" + n, {{"f:q", "v" + n}}});
    hashes.push_back({"00" + n + "a" + n + "f", {{"f:q", "v" + n}}});
  }
  EXPECT_THAT(Checked(SampleOf("t", numbers)), HasSubstr("#   row keys        are text of 8 bytes"));
  EXPECT_THAT(Checked(SampleOf("t", hashes)), HasSubstr("#   row keys        are a hash prefix of 8 hex digits"))
      << "the first rows of a region begin alike";
}

TEST(MappingDraft, MakesAFileForAnEmptyTable) {
  const std::string text = Checked({"space:empty", {{"f", {}}}, {}});
  EXPECT_THAT(text, HasSubstr("The table has no rows yet"));
  EXPECT_THAT(text, HasSubstr("source: space:empty\n"));
  EXPECT_THAT(text, HasSubstr("table: space:empty_by_f\n"));
}

TEST(MappingDraft, LetsEntriesLiveAsLongAsTheShortestFamilyOfTheSource) {
  TableSample sample = SampleOf("t", {{"a", {{"f:q", "x"}, {"g:q", "y"}}}, {"b", {{"f:q", "z"}}}});
  sample.families[0].ttl_seconds = 7200;
  EXPECT_THAT(Checked(sample), Not(HasSubstr("ttl")));
  sample.families[1].ttl_seconds = 3600;
  EXPECT_THAT(Checked(sample), HasSubstr("create: { families: { i: { ttl: 3600s } } }"));
}

TEST(MappingDraft, QuotesNamesThatTemplatesAndYamlWouldReadOtherwise) {
  using std::string_literals::operator""s;
  const std::vector<std::string> names = {"a|b",     "it's", "\"x\"", "{y}", "q\\", "tab\t",
                                          "\0\xff"s, "a b",  "",      "#",   "@ts", "*"};
  TestRow row{"r'\n", {}}, other{"s", {}};
  for (size_t i = 0; i < names.size(); ++i) {
    row.cells.push_back({"f:" + names[i], "v" + std::to_string(i)});
    other.cells.push_back({"f:" + names[i], "w" + std::to_string(i)});
  }
  Checked(SampleOf("t", {row, other}));
  Checked(SampleOf("t", {{"a", {{"{f}'\"#:x", "1"}, {"{f}'\"#:y", "1"}}}}));
  Checked(SampleOf("t", {{"a", {{"f*:a*_x", "1"}, {"f*:a*_y", "1"}, {"g:a*_x", ""}, {"g:a*_y", ""}}}}));
}

}  // namespace
}  // namespace fensi::mapping
