// Avro records of anyone: schemas are read or refused with their place, and no value costs more than its bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "mapping/functions/avro_schemas.h"
#include "mapping/functions/function.h"
#include "tests/fuzz/bounds.h"
#include "tests/mapping/mapping_testing.h"

namespace fensi::mapping {
namespace {

using ::testing::HasSubstr;
using namespace std::string_literals;

std::string Added(const std::string& schema, AvroSchemas* schemas) { return schemas->Add("a.avsc", schema).message(); }

std::string Added(const std::string& schema) {
  AvroSchemas schemas;
  return Added(schema, &schemas);
}

std::string RecordOf(const std::string& fields) {
  return R"({"type": "record", "name": "R", "fields": [)" + fields + "]}";
}
std::string Field(const std::string& name, const std::string& type) {
  return R"({"name": ")" + name + R"(", "type": )" + type + "}";
}

/// The bytes or the number at a path, "absent", or the reason.
std::string Taken(const std::string& schema, const std::string& path, const std::string& bytes) {
  auto schemas = std::make_shared<AvroSchemas>();
  const std::string fault = Added(schema, schemas.get());
  if (!fault.empty()) return fault;
  std::string problem;
  Arguments arguments(2);
  arguments[1].avro = ResolveAvroPath(schemas, schemas->Find("R"), path, &problem);
  if (arguments[1].avro == nullptr) return problem;
  Scratch scratch;
  Value value{.bytes = bytes};
  switch (FindFunction("avro")->apply(arguments, &value, &scratch)) {
    case Outcome::kValue:
      return arguments[1].avro->type == Type::kBytes ? std::string(value.bytes) : std::to_string(value.number);
    case Outcome::kAbsent:
      return "absent";
    default:
      return scratch.reason.substr(scratch.reason.find(" is not an Avro") + 1);
  }
}

std::string Long(int64_t number) {
  uint64_t bits = static_cast<uint64_t>(number) << 1 ^ static_cast<uint64_t>(number >> 63);
  std::string out;
  for (; bits >= 0x80; bits >>= 7) out.push_back(static_cast<char>(bits | 0x80));
  return out + static_cast<char>(bits);
}

std::string Why(const std::string& fault, size_t at) {
  return "is not an Avro record R: " + fault + ", at byte " + std::to_string(at);
}

const std::string kPair =
    RecordOf(Field("items", R"({"type": "array", "items": "string"})") + "," + Field("n", "\"long\""));

TEST(AvroValues, InBlocksOfBothForms) {
  const std::string plain = Long(2) + Long(1) + "a" + Long(0) + Long(1) + Long(1) + "c" + Long(0) + Long(-7);
  const std::string sized =
      Long(-2) + Long(3) + Long(1) + "a" + Long(0) + Long(-1) + Long(2) + Long(1) + "c" + Long(0) + Long(-7);
  for (const std::string& bytes : {plain, sized}) {
    EXPECT_EQ(Taken(kPair, "items.0", bytes), "a");
    EXPECT_EQ(Taken(kPair, "items[1]", bytes), "");
    EXPECT_EQ(Taken(kPair, "items.2", bytes), "c");
    EXPECT_EQ(Taken(kPair, "items.3", bytes), "absent");
    EXPECT_EQ(Taken(kPair, "n", bytes), "-7");
    for (size_t cut = 0; cut < bytes.size(); ++cut) {
      EXPECT_THAT(Taken(kPair, "n", bytes.substr(0, cut)), HasSubstr("the bytes end too early")) << cut;
      EXPECT_THAT(Taken(kPair, "items.0", bytes.substr(0, cut)), HasSubstr("the bytes end too early")) << cut;
    }
    EXPECT_EQ(Taken(kPair, "n", bytes + "x"), Why("bytes are left after the record", bytes.size()));
  }
}

TEST(AvroValues, ThatClaimWhatTheyDoNotHave) {
  const auto refused = [](const std::string& bytes) { return Taken(kPair, "n", bytes); };
  EXPECT_EQ(refused(Long(1) + Long(-1)), Why("a length is negative", 2));
  EXPECT_EQ(refused(Long(1) + Long(INT64_MAX)), Why("the bytes end too early", 11));
  EXPECT_EQ(refused(Long(INT32_MAX)), Why("the bytes end too early", 5));
  EXPECT_EQ(refused(Long(INT64_MAX)), Why("a block has too many items", 10));
  EXPECT_EQ(refused(Long(INT64_MIN) + Long(0)), Why("a block has too many items", 10));
  EXPECT_EQ(refused(Long(-1) + Long(-1)), Why("the size of a block is negative", 2));
  EXPECT_EQ(refused(Long(-1) + Long(9)), Why("the bytes end too early", 2));
  EXPECT_EQ(refused(Long(-1) + Long(2) + Long(0) + Long(0) + Long(0)),
            Why("a block does not have the size that it names", 3));
  EXPECT_EQ(refused(std::string(9, '\xff') + "\x02"s), Why("a number has more than 64 bits", 10));
  EXPECT_EQ(Taken(kPair, "n", Long(0) + std::string(9, '\xff') + "\x01"s), std::to_string(INT64_MIN));
}

TEST(AvroValues, OfEachTypeOnly) {
  const auto taken = [](const std::string& type, const std::string& bytes) {
    return Taken(RecordOf(Field("v", type)), "v", bytes);
  };
  EXPECT_EQ(taken("\"boolean\"", "\x01"), "true");
  EXPECT_EQ(taken("\"boolean\"", "\x02"), Why("a boolean is neither 0 nor 1", 1));
  EXPECT_EQ(taken("\"int\"", Long(INT32_MIN)), std::to_string(INT32_MIN));
  EXPECT_EQ(taken("\"int\"", Long(int64_t{INT32_MAX} + 1)), Why("an int has more than 32 bits", 5));
  EXPECT_EQ(taken("\"float\"", "\0\0\x80\x7f"s), "Infinity");
  EXPECT_EQ(taken("\"double\"", "\0\0\0\0\0\0\xf8\xff"s), "NaN");
  EXPECT_EQ(taken("\"float\"", "\xcd\xcc\xcc\x3d"), "0.1");
  const std::string suit = R"({"type": "enum", "name": "E", "symbols": ["A", "B"]})";
  EXPECT_EQ(taken(suit, Long(1)), "B");
  EXPECT_EQ(taken(suit, Long(2)), Why("an enum has no number 2", 1));
  EXPECT_EQ(taken(suit, Long(-1)), Why("an enum has no number -1", 1));
  EXPECT_EQ(taken(R"(["null", "string"])", Long(0)), "absent");
  EXPECT_EQ(taken(R"(["null", "string"])", Long(1) + Long(1) + "\xff"), "\xff");
  EXPECT_EQ(taken(R"(["null", "string"])", Long(2)), Why("a union has no number 2", 1));
  EXPECT_EQ(taken(R"(["null", "string"])", Long(-1)), Why("a union has no number -1", 1));
  EXPECT_EQ(taken(R"({"type": "fixed", "name": "F", "size": 2})", "\0\xff"s), "\0\xff"s);
}

TEST(AvroValues, WithoutBytesTakeNoTime) {
  const std::string nothing = R"({"type": "array", "items": "null"})";
  const std::string fixed = R"({"type": "array", "items": {"type": "fixed", "name": "F", "size": 0}})";
  std::string many;
  for (int i = 0; i < 1000; ++i) many += Field("f" + std::to_string(i), nothing) + ",";
  const std::string schema = RecordOf(many + Field("v", fixed));
  std::string bytes;
  for (int i = 0; i < 1001; ++i) bytes += Long(INT32_MAX) + Long(0);
  EXPECT_EQ(Taken(schema, "v.999999", bytes), "");
  EXPECT_EQ(Taken(RecordOf(Field("v", fixed)), "v.0", Long(INT32_MAX) + Long(1) + Long(0)),
            Why("a block has too many items", 6));
  EXPECT_EQ(Taken(RecordOf(Field("v", fixed)), "v.3", Long(3) + Long(1) + Long(0)), "");
  EXPECT_EQ(Taken(RecordOf(Field("v", fixed)), "v.4", Long(3) + Long(1) + Long(0)), "absent");
}

/// Each record has the one before it twice: 2^30 values of a null.
TEST(AvroValues, OfRecordsWithoutBytesTakeNoTime) {
  AvroSchemas schemas;
  ASSERT_EQ(Added(R"({"type": "record", "name": "E0", "fields": [{"name": "n", "type": "null"}]})", &schemas), "");
  for (int i = 1; i <= 30; ++i) {
    const std::string inner = "\"E" + std::to_string(i - 1) + "\"";
    ASSERT_EQ(Added(R"({"type": "record", "name": "E)" + std::to_string(i) + R"(", "fields": [)" + Field("a", inner) +
                        "," + Field("b", inner) + "]}",
                    &schemas),
              "");
  }
  EXPECT_TRUE(schemas.Find("E30")->empty);
}

TEST(AvroValues, NestUpToALimit) {
  const std::string list = RecordOf(Field("v", "\"string\"") + "," + Field("next", R"(["null", "R"])"));
  const auto nested = [](int records) {
    std::string bytes;
    for (int i = 1; i < records; ++i) bytes += Long(0) + Long(1);
    return bytes + Long(0) + Long(0);
  };
  EXPECT_EQ(Taken(list, "v", nested(1000)), "");
  EXPECT_EQ(Taken(list, "v", nested(1001)), Why("the record is nested deeper than 1000", 2000));
  EXPECT_THAT(Taken(list, "v", nested(1'000'000)), HasSubstr("the record is nested deeper than 1000"));
  EXPECT_THAT(Taken(RecordOf(Field("v", "\"string\"") + "," + Field("self", "\"R\"")), "v", std::string(5000, '\0')),
              HasSubstr("the record is nested deeper than 1000"));
}

/// Records of one field inside each other, so that a byte takes as many steps as there are records.
TEST(AvroValues, TakeABoundedNumberOfSteps) {
  auto schemas = std::make_shared<AvroSchemas>();
  ASSERT_EQ(Added(R"({"type": "record", "name": "C0", "fields": [{"name": "v", "type": "boolean"}]})", schemas.get()),
            "");
  for (int i = 1; i < 900; ++i) {
    ASSERT_EQ(Added(R"({"type": "record", "name": "C)" + std::to_string(i) + R"(", "fields": [)" +
                        Field("v", "\"C" + std::to_string(i - 1) + "\"") + "]}",
                    schemas.get()),
              "");
  }
  ASSERT_EQ(Added(RecordOf(Field("a", R"({"type": "array", "items": "C899"})") + "," + Field("v", "\"long\"")),
                  schemas.get()),
            "");
  std::string problem;
  Arguments arguments(2);
  arguments[1].avro = ResolveAvroPath(schemas, schemas->Find("R"), "v", &problem);
  ASSERT_NE(arguments[1].avro, nullptr) << problem;
  const auto reason = [&](int items) {
    const std::string bytes = Long(items) + std::string(static_cast<size_t>(items), '\0') + Long(0) + Long(5);
    Scratch scratch;
    Value value{.bytes = bytes};
    return FindFunction("avro")->apply(arguments, &value, &scratch) == Outcome::kValue ? "" : scratch.reason;
  };
  EXPECT_EQ(reason(1000), "");
  EXPECT_THAT(reason(50'000), HasSubstr("the record takes too many steps to read"));
}

TEST(AvroPaths, ReachEveryBranchOfAUnion) {
  const std::string schema =
      RecordOf(Field("v", R"(["null", "long", "string", {"type": "map", "values": "long"}, "R"])"));
  const std::string text = Long(2) + Long(1) + "x", map = Long(3) + Long(1) + Long(6) + "string" + Long(9) + Long(0);
  EXPECT_THAT(Taken(schema, "v", text),
              HasSubstr("a union with branches of integers (int, long) and branches of bytes"));
  EXPECT_EQ(Taken(schema, "v.string", text), "x");
  EXPECT_EQ(Taken(schema, "v.string", map), "absent");
  EXPECT_EQ(Taken(schema, "v.map.string", map), "9");
  EXPECT_EQ(Taken(schema, "v.long", Long(1) + Long(4)), "4");
  EXPECT_EQ(Taken(schema, "v.R.v.string", Long(4) + text), "x");
  EXPECT_EQ(Taken(schema, "v.null", map), "absent") << "a key of the map";
}

std::string Named(const std::string& name, const std::string& field) {
  return R"({"type": "record", "name": ")" + name + R"(", "fields": [{"name": ")" + field + R"(", "type": "string"}]})";
}

TEST(AvroPaths, NameABranchByItsWholeNameOrItsEnd) {
  const std::string schema = RecordOf(Field("v", "[" + Named("User", "id") + "," + Named("old.User", "id") + "]"));
  const std::string younger = Long(0) + Long(1) + "A", older = Long(1) + Long(1) + "B";
  EXPECT_EQ(Taken(schema, "v.User.id", younger), "A");
  EXPECT_EQ(Taken(schema, "v.User.id", older), "absent") << "its whole name is another";
  EXPECT_EQ(Taken(schema, R"(v["old.User"].id)", older), "B");
  EXPECT_EQ(Taken(schema, R"(v["old.User"].id)", younger), "absent");
  EXPECT_EQ(Taken(schema, "v.id", older), "B");
  const std::string alike = RecordOf(Field("v", "[" + Named("a.E", "id") + "," + Named("b.E", "id") + "]"));
  EXPECT_EQ(Taken(alike, "v.E.id", younger),
            R"(a path with the whole name of a branch, ["a.E"] or ["b.E"], because 'E' is the end of several)");
  EXPECT_EQ(Taken(alike, R"(v["b.E"].id)", older), "B");
}

TEST(AvroPaths, ThatAreWrongInABranchSayWhatTheBranchHas) {
  const std::string schema = RecordOf(Field("v", "[" + Named("A", "q") + "," + Named("B", "r") + "]") + "," +
                                      Field("w", R"(["int", "string"])"));
  EXPECT_THAT(Taken(schema, "v.A.zz", ""), HasSubstr("a path in A, which has no field 'zz' (it has q)"));
  EXPECT_THAT(Taken(schema, "v.A.q.z", ""),
              HasSubstr("a path that ends at the string: remove 'z' and the rest of the path"));
  EXPECT_EQ(Taken(schema, "w.bytes", ""),
            "a path that continues after the union with a branch, int or string, and not with 'bytes'");
}

TEST(AvroPaths, HaveOneSpellingInADefinition) {
  const auto schemas = std::make_shared<AvroSchemas>();
  ASSERT_EQ(
      Added(RecordOf(Field("m", R"({"type": "map", "values": {"type": "array", "items": "int"}})")), schemas.get()),
      "");
  const auto text = [&](const std::string& path) {
    std::string problem;
    const auto resolved = ResolveAvroPath(schemas, schemas->Find("R"), path, &problem);
    return resolved == nullptr ? problem : resolved->text;
  };
  EXPECT_EQ(text("m.a.0"), "m.a.0");
  EXPECT_EQ(text(R"($["m"]["a"][0])"), "m.a.0");
  EXPECT_EQ(text(R"(m["a.b"][0])"), R"(m["a.b"].0)");
}

// Wrong paths through unions that share a wide record: each type is looked at once for a step.
TEST(AvroPaths, ThatAreWrongTakeNoTimeForEachUnion) {
  std::string wide = R"({"type": "record", "name": "Wide", "fields": [)";
  for (int i = 0; i < 20'000; ++i) wide += (i > 0 ? "," : "") + Field("f" + std::to_string(i), "\"int\"");
  auto schemas = std::make_shared<AvroSchemas>();
  ASSERT_EQ(Added(wide + "]}", schemas.get()), "");
  for (int i = 89; i >= 0; --i) {
    const std::string next = i < 89 ? "\"N" + std::to_string(i + 1) + "\"" : "\"int\"";
    ASSERT_EQ(Added(R"({"type": "record", "name": "N)" + std::to_string(i) + R"(", "fields": [)" +
                        Field("next", "[" + next + ", \"Wide\"]") + "]}",
                    schemas.get()),
              "");
  }
  std::string path, problem;
  for (int i = 0; i < 90; ++i) path += "next.";
  const TimeBound bound;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(ResolveAvroPath(schemas, schemas->Find("N0"), path + "z", &problem), nullptr);
}

TEST(AvroPaths, OfAKeyThatComesTwiceGiveTheLastAsJavaDoes) {
  const std::string schema = RecordOf(Field("m", R"({"type": "map", "values": ["null", "string"]})"));
  const std::string key = Long(3) + "a.b";
  EXPECT_EQ(
      Taken(schema, R"(m["a.b"])", Long(2) + key + Long(1) + Long(1) + "x" + key + Long(1) + Long(1) + "y" + Long(0)),
      "y");
  EXPECT_EQ(Taken(schema, R"(m["a.b"])", Long(2) + key + Long(1) + Long(1) + "x" + key + Long(0) + Long(0)), "absent");
  EXPECT_EQ(Taken(schema, "m.c", Long(1) + key + Long(0) + Long(0)), "absent");
}

TEST(AvroPaths, AreBounded) {
  const std::string list = RecordOf(Field("v", "\"string\"") + "," + Field("next", R"(["null", "R"])"));
  std::string path;
  for (int i = 0; i < 100; ++i) path += "next.";
  EXPECT_EQ(Taken(list, path.substr(5) + "v", Long(0) + Long(0)), "absent");
  EXPECT_EQ(Taken(list, path + "v", ""), "a path of at most 100 steps");
  std::string wide;
  for (int i = 0; i < 3000; ++i) {
    wide += (i > 0 ? "," : "") + (R"({"type": "enum", "name": "E)" + std::to_string(i) + R"(", "symbols": []})");
  }
  EXPECT_EQ(Taken(RecordOf(Field("v", "[" + wide + "]")), "v", ""),
            "a path that leads through at most 2000 types and branches of unions: name branches of unions in the path");
}

TEST(AvroFramed, NamesBothSchemas) {
  const std::string order = "\x04o1\xC6\x1F\x02\0\0\0"s;
  EXPECT_EQ(RunSteps("| avro_framed 7 example.Order cents | decimal", "\0\0\0\0\x07"s + order), "2019");
  EXPECT_EQ(RunSteps("| avro_framed 7 example.Order id", "\0\xff\0\0\x07"s + order),
            "unmappable: the record has the schema id 4278190087, and the mapping file reads only records with the "
            "schema id 7");
  for (const std::string& bytes : {"\x01\0\0\0\x07"s + order, "\0\0\0\0"s, ""s}) {
    EXPECT_THAT(RunSteps("| avro_framed 7 example.Order id", bytes), HasSubstr("does not begin with a zero byte"));
  }
  EXPECT_THAT(RunSteps("| avro_framed 7 example.Order id", "\0\0\0\0\x07"s),
              HasSubstr("the bytes end too early, at byte 5"));
}

TEST(AvroSchemas, AreReadAsTheSpecificationSays) {
  EXPECT_EQ(Added("\"string\""), "");
  EXPECT_EQ(Added(R"({"type": "error", "name": "R", "fields": [], "doc": "x", "aliases": ["y"], "more": {}})"), "");
  AvroSchemas schemas;
  EXPECT_EQ(Added(R"([{"type": "record", "name": "a.b.R", "namespace": "not.this", "fields": [)" +
                      Field("e", R"({"type": "enum", "name": "E", "symbols": ["X"]})") + "," +
                      Field("f", R"({"type": {"type": "fixed", "name": "F", "namespace": "", "size": 3}})") + "," +
                      Field("again", R"(["null", "E", "a.b.R"])") + "," + Field("plain", R"({"type": "F"})") + "]}]",
                  &schemas),
            "");
  EXPECT_NE(schemas.Find("a.b.E"), nullptr);
  EXPECT_NE(schemas.Find("F"), nullptr);
  EXPECT_EQ(Added(R"({"type": "map", "values": "a.b.E"})", &schemas), "") << "of a file before";
  EXPECT_EQ(schemas.RecordNames(), std::vector<std::string>{"a.b.R"});
  EXPECT_EQ(Added("\xEF\xBB\xBF\"int\""), "") << "a byte order mark";
}

TEST(AvroSchemas, OfARefusedFileDefineNothing) {
  AvroSchemas schemas;
  EXPECT_NE(Added(RecordOf(Field("a", "\"int\"") + "," + Field("b", "\"strng\"")), &schemas), "");
  EXPECT_EQ(schemas.Find("R"), nullptr);
  ASSERT_TRUE(schemas.Add("v1.avsc", RecordOf("")).ok());
  EXPECT_THAT(schemas.Add("v2.avsc", RecordOf("")).message(),
              HasSubstr("'R' is also defined in v1.avsc: give one of the two types another 'namespace'"));
  EXPECT_NE(schemas.Find("R"), nullptr);
}

TEST(AvroSchemas, AreRefusedWithTheirPlace) {
  EXPECT_EQ(Added("{\n  \"type\": \"strng\"\n}"),
            "a.avsc, line 2, column 11: there is no type 'strng' so far; did you mean 'string'?");
  EXPECT_THAT(Added("\"Later\""),
              HasSubstr("define the type before this place, or list its file earlier under 'avros:'"));
  EXPECT_THAT(Added("\"\xff\""), HasSubstr("a.avsc: the file is not UTF-8"));
  EXPECT_THAT(Added("{} x"), HasSubstr("line 1, column 4: the file is not JSON from here on"));
  EXPECT_THAT(Added("5"), HasSubstr("this value is no schema: write a name, an object"));
  EXPECT_THAT(Added("{}"), HasSubstr("this object has no 'type'"));
  EXPECT_THAT(Added(R"({"type": "array"})"), HasSubstr("has no 'items'"));
  EXPECT_THAT(Added(R"({"type": "map", "type": "array"})"), HasSubstr("'type' stands twice in one object"));
  EXPECT_THAT(Added(R"({"type": "record", "fields": []})"), HasSubstr("has no 'name'"));
  EXPECT_THAT(Added(R"({"type": "record", "name": "R"})"), HasSubstr("has no 'fields'"));
  EXPECT_THAT(Added(R"({"type": "record", "name": "1R", "fields": []})"), HasSubstr("'1R' is not a legal name"));
  EXPECT_THAT(Added(R"({"type": "record", "name": "long", "fields": []})"), HasSubstr("cannot be defined again"));
  EXPECT_THAT(Added(RecordOf(Field("a", "\"int\"") + "," + Field("a", "\"int\""))), HasSubstr("'a' stands twice in R"));
  EXPECT_THAT(Added(RecordOf(R"({"name": "a"})")), HasSubstr("the field 'a' has no 'type'"));
  EXPECT_THAT(Added(RecordOf("5")), HasSubstr("this value is no field"));
  EXPECT_THAT(Added(RecordOf(Field("a", RecordOf("")))), HasSubstr("'R' is defined twice"));
  EXPECT_THAT(Added(R"({"type": "enum", "name": "E", "symbols": ["A", "A"]})"),
              HasSubstr("the symbol 'A' stands twice"));
  EXPECT_THAT(Added(R"({"type": "enum", "name": "E", "symbols": ["a b"]})"), HasSubstr("this value is no symbol"));
  EXPECT_THAT(Added(R"({"type": "fixed", "name": "F", "size": -1})"), HasSubstr("'size' must be a number of bytes"));
  EXPECT_THAT(Added(R"({"type": "fixed", "name": "F", "size": 2147483648})"),
              HasSubstr("'size' must be a number of bytes"));
  EXPECT_THAT(Added("[]"), HasSubstr("this union has no branch"));
  EXPECT_THAT(Added(R"(["int", ["long"]])"), HasSubstr("a union cannot be a branch of a union"));
  EXPECT_THAT(Added(R"(["int", "int"])"), HasSubstr("this union has two branches 'int'"));
}

TEST(AvroSchemas, AreBounded) {
  const auto nested = [](size_t depth) {
    std::string schema;
    for (size_t i = 1; i < depth; ++i) schema += R"({"type": "array", "items": )";
    return schema + "\"int\"" + std::string(depth - 1, '}');
  };
  EXPECT_EQ(Added(nested(31)), "");
  EXPECT_THAT(Added(nested(32)), HasSubstr("nested deeper than 31"));
  EXPECT_THAT(Added(nested(100'000)), HasSubstr("is not JSON"));
  EXPECT_THAT(Added(std::string((4 << 20) + 1, ' ')), HasSubstr("all files of 'avros' together have more than 4 MiB"));
  EXPECT_THAT(Added(R"({"type": "enum", "name": ")" + std::string(1001, 'x') + R"(", "symbols": []})"),
              HasSubstr("this name is longer than 1000 bytes"));
  std::string symbols;
  for (int i = 0; i < 50'000; ++i) symbols += (i > 0 ? ",\"s" : "\"s") + std::to_string(i) + "\"";
  EXPECT_THAT(Added(R"({"type": "enum", "name": "E", "symbols": [)" + symbols + "]}"),
              HasSubstr("more than 50000 types, fields and symbols in all files"));
}

}  // namespace
}  // namespace fensi::mapping
