// What a file of somebody else can cost: refused for its size, or read within seconds of processor time.
#include "tests/fuzz/bounds.h"

#include <gmock/gmock.h>
#include <google/protobuf/descriptor.pb.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "mapping/functions/proto_schemas.h"
#include "mapping/lookup/inverse.h"
#include "mapping/template/program.h"
#include "tests/mapping/mapping_testing.h"
#include "tests/support/matchers.h"

namespace fensi::mapping {
namespace {

#ifdef FENSI_SANITIZED
constexpr double kSeconds = 60;  // without optimisation, and with every access looked at
#else
constexpr double kSeconds = 5;
#endif

std::string Many(int count, const std::function<std::string(const std::string&)>& one) {
  std::string out;
  for (int i = 0; i < count; ++i) out += one(std::to_string(i));
  return out;
}

std::string Said(const std::string& text) {
  const TimeBound bound(kSeconds);
  Diagnostics diagnostics;
  Load({{"m.yaml", text}}, &diagnostics, TestEnvironment());
  return diagnostics.Text();
}

std::string IndexFile(const std::string& lines) {
  return "source: t\nindexes:\n  x:\n    table: xt\n    row: '{f:v}'\n    columns: { 'f:{row}': '' }\n" + lines;
}

TEST(Bounds, OfColumns) {
  const std::string columns = Many(40'000, [](const std::string& i) { return "'f:c" + i + "': '', "; });
  const std::string text =
      "source: t\nindexes:\n  x:\n    table: xt\n    row: '{row}'\n    columns: { " + columns + "}\n";
  EXPECT_THAT(Said(text), HasSubstr("'columns' has 40000 items, at most 1000 are possible [too-large]"));
}

TEST(Bounds, OfColumnsOfTheSource) {
  const std::string row =
      "    when: [ " +
      Many(190,
           [](const std::string& i) {
             return "'" + Many(99, [&i](const std::string& k) { return "{f:" + i + "x" + k + "} or "; }) + "{f:v}', ";
           }) +
      "]\n";
  EXPECT_THAT(Said(IndexFile(row)), HasSubstr("this index names more than 1000 columns of its source [too-large]"));
}

TEST(Bounds, OfKeysThatNobodyKnows) {
  const std::string text = Said(IndexFile("") + Many(60'000, [](const std::string& i) { return "k" + i + ": 1\n"; }));
  EXPECT_THAT(text, HasSubstr("unknown key 'k0'"));
  EXPECT_THAT(text, HasSubstr("this file has more than 1000 messages, and the rest is not shown"));
  EXPECT_LT(text.size(), 1'000'000u);
}

TEST(Bounds, OfFaultsInOneLongLine) {
  EXPECT_THAT(Said("{source: t, " + Many(60'000, [](const std::string& i) { return "关" + i + ": 1, "; }) + "}"),
              HasSubstr("the rest is not shown"));
}

TEST(Bounds, OfIndexesFamiliesPatternsAndConditions) {
  const auto list = [](const std::string& key, int count) {
    return "    " + key + ": [" + Many(count, [](const std::string& i) { return "'a" + i + ":*', "; }) + "]\n";
  };
  EXPECT_THAT(
      Said("source: t\nindexes: {" + Many(30'000, [](const std::string& i) { return "x" + i + ": {}, "; }) + "}\n"),
      HasSubstr("'indexes' has 30000 items, at most 1000 are possible"));
  EXPECT_THAT(Said(IndexFile(list("each", 50'000))), HasSubstr("'each' has 50000 items, at most 100 are possible"));
  EXPECT_THAT(Said(IndexFile(list("when", 50'000))), HasSubstr("'when' has 50000 items, at most 200 are possible"));
  EXPECT_THAT(Said(IndexFile("    create: { families: {" +
                             Many(50'000, [](const std::string& i) { return "a" + i + ": {}, "; }) + "} }\n")),
              HasSubstr("'families' has 50000 items, at most 100 are possible"));
}

TEST(Bounds, OfOneCondition) {
  const std::string tests = Many(20'000, [](const std::string&) { return "{f:v} or "; }) + "{f:v}";
  EXPECT_THAT(Said(IndexFile("    when: ['" + tests + "']\n")), HasSubstr("this condition has more than 200 tests"));
  const std::string values = Many(100'000, [](const std::string& i) { return i + ","; }) + "1";
  EXPECT_THAT(Said(IndexFile("    when: ['{f:v} in [" + values + "]']\n")),
              HasSubstr("this list of 'in' has more than 1000 values"));
}

TEST(Bounds, OfAFileAtAllItsLimits) {
  const std::string columns = Many(1000, [](const std::string& i) {
    return "      'f:{row}" + i + "': '{f:c" + i + " | match /^" + i + "[a-z]{1,30}$/}'\n";
  });
  const std::string when =
      "    when: [" +
      Many(200,
           [](const std::string& i) { return "'{f:c" + i + "} in [" + i + "," + std::string(2000, 'x') + "]', "; }) +
      "]\n";
  EXPECT_EQ(
      Said("source: t\nindexes:\n  x:\n    table: xt\n    row: '{row | fixed 20}'\n    columns:\n" + columns + when),
      "");
}

// Columns that only a byte far from both ends keeps apart are the dearest to compare.
TEST(Bounds, OfColumnsThatAreComparedEachWithEach) {
  std::string text = "source: t\nindexes:\n";
  for (int index = 0; text.size() < 900'000; ++index) {
    const std::string name = "x" + std::to_string(index);
    text += "  " + name + ":\n    table: " + name + "t\n    each: [f:*, g:*]\n    row: '{value}'\n    columns:\n";
    for (int i = 1000; i < 2000; ++i) {
      text += "      'f:{row | fixed 250}{family}{qualifier | fixed 99}" + std::to_string(i) + "': ''\n";
    }
  }
  EXPECT_EQ(Said(text), "");
}

TEST(Bounds, OfRegularExpressions) {
  EXPECT_THAT(Said(IndexFile("    when: ['{f:v | match /(((a{30}){30}){30}){30}/}']\n")),
              HasSubstr("a valid regular expression (RE2 says: "));
  EXPECT_THAT(Said(IndexFile("    when: ['{f:v | match /[ab]{1000}[cd]{1000}/}']\n")),
              HasSubstr("instructions, at most 2000 are possible"));
  const TimeBound bound(kSeconds);
  std::string text;  // every place may begin a match: the library's fast way does not help
  for (uint32_t x = 1; text.size() < 450'000; x = x * 1103515245 + 12345) text += (x >> 16 & 1) != 0 ? 'a' : 'b';
  EXPECT_THAT(RunSteps("| match /[ab]*a[ab]{200}c/", text), "absent");
  EXPECT_THAT(RunSteps("| match /[ab]*a[ab]{200}c/", std::string(10 << 20, 'a')),
              HasSubstr("the value has 10485760 bytes, and this regular expression of "));
}

TEST(Bounds, OfAllRegularExpressionsOfAFile) {
  const auto said = [](const std::string& expression) {
    return Said(IndexFile(
        "    when:\n" + Many(200, [&](const std::string& i) {
          return "      - '" +
                 Many(99, [&](const std::string& k) { return "{f:v} matches /" + i + k + expression + "/ or "; }) +
                 "{f:v}'\n";
        })));
  };
  EXPECT_EQ(said("[a-z]{2}"), "");
  EXPECT_THAT(
      said("\\pL\\pN"),
      HasSubstr(
          "all expressions of the file may have at most 2000000 instructions together. Shorten or remove expressions"));
  const TimeBound bound(kSeconds);
  EXPECT_THAT(
      Said(IndexFile("    when:\n" +
                     Many(200, [](const std::string& i) { return "      - '{f:v} matches /" + i + "\\pL{50}/'\n"; }))),
      HasSubstr(
          "all expressions of the file may have at most 2000000 instructions together. Shorten or remove expressions"));
}

std::string AddProto(const std::string& name, const std::string& bytes) {
  const TimeBound bound(kSeconds);
  ProtoSchemas schemas;
  const auto none = [](const std::string& file) { return Result<std::string>(Status(StatusCode::kNotFound, file)); };
  return schemas.Add(name, bytes, none).message();
}

TEST(ProtoBounds, OfDepth) {
  const auto nested = [](int depth) {
    return "syntax = \"proto2\";" + Many(depth, [](const std::string& i) { return "message M" + i + "{"; }) +
           std::string(static_cast<size_t>(depth), '}');
  };
  EXPECT_EQ(AddProto("m.proto", nested(31)), "");
  EXPECT_EQ(AddProto("m.proto", nested(32)),
            "m.proto: the messages are nested deeper than 31 levels. Move inner messages outside");
  EXPECT_EQ(AddProto("m.proto", nested(100'000)),
            "m.proto: the messages are nested deeper than 31 levels. Move inner messages outside");
}

TEST(ProtoBounds, OfNumbersAndNames) {
  EXPECT_THAT(AddProto("m.proto", "syntax = \"proto2\";" +
                                      Many(100'000, [](const std::string& i) { return "message M" + i + "{}"; })),
              HasSubstr("there are more than 50000 messages, fields and enums in all files"));
  const std::string name(1001, 'x');
  EXPECT_THAT(AddProto("m.proto", "syntax = \"proto2\"; message " + name + " { message A {} }"),
              HasSubstr("a full name is longer than 1000 bytes"));
  EXPECT_THAT(AddProto("m.proto", std::string((4 << 20) + 1, ' ')),
              HasSubstr("the files of 'protos' have more than 4 MiB"));
}

TEST(ProtoBounds, OfDescriptorSets) {
  google::protobuf::FileDescriptorProto file;
  file.set_name("a.proto");
  google::protobuf::DescriptorProto* message = file.add_message_type();
  message->set_name("M");
  for (int i = 0; i < 40; ++i) (message = message->add_nested_type())->set_name("M");
  google::protobuf::FileDescriptorSet set;
  *set.add_file() = file;
  EXPECT_EQ(AddProto("m.desc", set.SerializeAsString()),
            "m.desc: a.proto: the messages are nested deeper than 31 levels. Move inner messages outside");
}

TEST(ProtoBounds, OfMessagesThatOneNeeds) {
  const std::string chain = "syntax = \"proto2\";" +
                            Many(10'000,
                                 [](const std::string& i) {
                                   return "message M" + i + "{optional M" + std::to_string(std::stoi(i) + 1) + " a=1;}";
                                 }) +
                            "message M10000{optional int32 a=1;}";
  Environment environment = TestEnvironment();
  environment.read_file = [&chain](const std::string&, const std::string&) { return Result<std::string>(chain); };
  const auto said = [&environment](const std::string& message) {
    const TimeBound bound(kSeconds);
    Diagnostics diagnostics;
    Load({{"m.yaml", "protos: m.proto\n" + IndexFile("    when: ['{f:v | proto " + message + " a}']\n")}}, &diagnostics,
         environment);
    return diagnostics.Text();
  };
  EXPECT_THAT(said("M0"), HasSubstr("must be a message that needs at most 1000 messages"));
  EXPECT_EQ(said("M9100"), "");
}

std::string SaidOf(const std::string& text, const std::string& schema) {
  Environment environment = TestEnvironment();
  environment.read_file = [&schema](const std::string&, const std::string&) { return Result<std::string>(schema); };
  const TimeBound bound(kSeconds);
  Diagnostics diagnostics;
  Load({{"m.yaml", text}}, &diagnostics, environment);
  return diagnostics.Text();
}

std::string ThousandIndexes(const std::string& key) {
  return "source: t\nindexes:\n" + Many(1000, [&key](const std::string& i) {
           return "  x" + i + ": { table: t" + i + ", row: '{f:v | " + key + "}{row}', columns: { 'f:x': '' } }\n";
         });
}

/// 100 conditions, each with 70 tests of `part` with another number.
std::string SevenThousandTests(const std::function<std::string(const std::string&)>& part) {
  return "    when:\n" + Many(100, [&part](const std::string& i) {
           const int first = 70 * std::stoi(i);
           return "      - '" +
                  Many(69,
                       [&](const std::string& k) {
                         return "{f:v | " + part(std::to_string(first + std::stoi(k))) + "} or ";
                       }) +
                  "{f:v}'\n";
         });
}

/// The dearest definition is described once, however many indexes and messages need it.
TEST(ProtoBounds, OfAMessageInEachOfAThousandIndexes) {
  const std::string fields = Many(
      47, [](const std::string& i) { return "optional int64 f" + i + "=" + std::to_string(std::stoi(i) + 2) + ";"; });
  const std::string chain = "syntax = \"proto2\";" + Many(990, [&fields](const std::string& i) {
                              const int next = std::min(std::stoi(i) + 1, 989);
                              return "message M" + i + "{" + fields + "optional M" + std::to_string(next) + " n=1;}";
                            });
  EXPECT_EQ(SaidOf("protos: m.proto\n" + ThousandIndexes("proto M0 f1 | descending | to_be 8"), chain), "");
  EXPECT_EQ(SaidOf("protos: m.proto\n" + IndexFile(SevenThousandTests([](const std::string& i) {
                     return "proto M" + std::to_string(std::stoi(i) % 990) + " f1";
                   })),
                   chain),
            "");
}

TEST(AvroBounds, OfARecordInEachOfAThousandIndexes) {
  const std::string fields =
      Many(49'000, [](const std::string& i) { return R"({"name": "f)" + i + R"(", "type": "long"}, )"; });
  const std::string record =
      R"({"type": "record", "name": "R", "fields": [)" + fields + R"({"name": "v", "type": "string"}]})";
  EXPECT_EQ(SaidOf("avros: r.avsc\n" + ThousandIndexes("avro R v | terminated"), record), "");
}

/// Each record needs all that are defined before it.
std::string ChainOfRecords(int count) {
  return R"({"type": "record", "name": "All", "fields": [)" +
         Many(count,
              [](const std::string& i) {
                const int before = std::stoi(i) - 1;
                const std::string next =
                    before < 0 ? "" : R"(, {"name": "n", "type": ["null", "R)" + std::to_string(before) + "\"]}";
                return R"({"name": "f)" + i + R"(", "type": {"type": "record", "name": "R)" + i +
                       R"(", "fields": [{"name": "v", "type": "string"})" + next + "]}}, ";
              }) +
         R"({"name": "v", "type": "string"}]})";
}

TEST(AvroBounds, OfTypesThatARecordNeeds) {
  const auto said = [](const std::string& record) {
    return SaidOf("avros: r.avsc\n" + IndexFile("    when: ['{f:v | avro " + record + " v}']\n"), ChainOfRecords(6900));
  };
  EXPECT_EQ(said("R999"), "");
  EXPECT_THAT(said("R1000"), HasSubstr("must be a record that needs at most 1000 named types"));
  EXPECT_THAT(said("All"), HasSubstr("must be a record that needs at most 1000 named types"));
}

TEST(AvroBounds, OfManyRecordsInUse) {
  const auto some = [](const std::string& i) { return "avro R" + std::to_string(std::stoi(i) % 1000) + " v"; };
  EXPECT_EQ(SaidOf("avros: r.avsc\n" + IndexFile(SevenThousandTests(some)), ChainOfRecords(6900)), "");
  const auto any = [](const std::string& i) { return "avro R" + std::to_string(std::stoi(i) % 6900) + " v"; };
  EXPECT_THAT(SaidOf("avros: r.avsc\n" + IndexFile(SevenThousandTests(any)), ChainOfRecords(6900)),
              HasSubstr("must be a record that needs at most 1000 named types"));
}

/// A path through a union of 950 records, again and again.
TEST(AvroBounds, OfAllPathsOfAFile) {
  const std::string fields = Many(950, [](const std::string& i) {
    return R"({"name": "f)" + i + R"(", "type": {"type": "record", "name": "L)" + i +
           R"(", "fields": [{"name": "v", "type": "string"}]}}, )";
  });
  const std::string branches = Many(950, [](const std::string& i) { return R"(, "L)" + i + "\""; });
  const std::string record = R"({"type": "record", "name": "R", "fields": [)" + fields +
                             R"({"name": "n", "type": ["null")" + branches + "]}]}";
  const auto wide = [](const std::string&) { return std::string("avro R n.v"); };
  EXPECT_THAT(
      SaidOf("avros: r.avsc\n" + IndexFile(SevenThousandTests(wide)), record),
      HasSubstr("all paths of the file may lead through at most 1000000 types and branches of unions together"));
  const auto narrow = [](const std::string&) { return std::string("avro R f9.v"); };
  EXPECT_EQ(SaidOf("avros: r.avsc\n" + IndexFile(SevenThousandTests(narrow)), record), "");
}

/// The most digits of the most values of one row, and their way back.
TEST(DecimalBounds, OfTheDearestValuesOfARow) {
  const std::string dearest = "\x7F" + std::string(4199, '\xFF');
  const std::optional<Template> program = CompileSteps("| unscaled 10000 | ordered");
  ASSERT_TRUE(program);
  const Part& part = program->parts[0];
  const TimeBound bound(kSeconds);
  Scratch scratch;
  int read = 0;
  for (int i = 0; i < 7000; ++i) {  // 28 MiB of a list
    Inputs inputs;
    inputs.row = dearest;
    Value value;
    read += RunPart(part, inputs, &scratch, &value) == Outcome::kValue ? 1 : 0;
  }
  EXPECT_GT(read, 400);
  EXPECT_LT(read, 500);
  EXPECT_EQ(scratch.reason, "the decimals of one row would take too long");
}

TEST(DecimalBounds, OfTheWayBack) {
  const auto back = [](const std::string& steps, const std::string& number) {
    const std::optional<Template> to = CompileSteps("| number | ordered"), program = CompileSteps(steps);
    Inputs inputs;
    inputs.row = number;
    Scratch scratch;
    Value value;
    EXPECT_EQ(RunPart(to->parts[0], inputs, &scratch, &value), Outcome::kValue);
    return InvertPart(program->parts[0], 0, &value, &scratch);
  };
  const TimeBound bound(kSeconds);
  EXPECT_EQ(back("| unscaled 10000 | ordered", "1e9999"), Inverse::kNone);
  EXPECT_EQ(back("| unscaled 10000 | ordered", "1e-10000"), Inverse::kGood);
  EXPECT_EQ(back("| unscaled 0 | ordered", "-" + std::string(10'000, '9')), Inverse::kGood);
  EXPECT_EQ(back("| big_decimal | ordered", std::string(9999, '7') + "." + std::string(9999, '7')), Inverse::kNone);
  EXPECT_EQ(back("| big_decimal | ordered", std::string(10'000, '7')), Inverse::kGood);
  EXPECT_THAT(Said(IndexFile("    when: ['{f:v | unscaled 10001} == 1']\n")),
              HasSubstr("'scale' of 'unscaled' must be a whole number from 0 to 10000"));
}

TEST(ProtoFiles, ThatAreImportedAreTheirs) {
  const auto read = [](const std::string& file) {
    return Result<std::string>("syntax = \"proto3\"; package mine; message Of" + file.substr(6, 5) + " {}");
  };
  const std::string text =
      "syntax = \"proto3\"; package mine; import \"proto/state.proto\"; import \"google/protobuf/timestamp.proto\";"
      "message All { Ofstate state = 1; google.protobuf.Timestamp time = 2; }";
  ProtoSchemas schemas;
  EXPECT_EQ(schemas.Add("m.proto", text, read).message(), "");
}

TEST(ProtoBounds, AnImportThatCannotBeUsedNamesItsImporter) {
  const std::map<std::string, std::string> files = {
      {"circle.proto", "import \"back.proto\";"},  {"back.proto", "import \"circle.proto\";"},
      {"own.proto", "import \"own.proto\";"},      {"outer.proto", "import \"lost.proto\";"},
      {"lost.proto", "import \"nowhere.proto\";"}, {"broken.proto", "message A { int64 x = ; }"},
      {"needy.proto", "import \"broken.proto\";"}};
  const auto read = [&](const std::string& file) {
    const auto found = files.find(file);
    return found == files.end() ? Result<std::string>(Status(StatusCode::kNotFound, "no file")) : found->second;
  };
  ProtoSchemas schemas;
  const auto add = [&](const std::string& file) { return schemas.Add(file, files.at(file), read).message(); };
  EXPECT_EQ(add("circle.proto"), "back.proto: the import circle.proto leads back to this file. Remove this import");
  EXPECT_EQ(add("own.proto"), "own.proto: the import own.proto leads back to this file. Remove this import");
  EXPECT_EQ(add("outer.proto"), "lost.proto: the import nowhere.proto cannot be read: no file");
  EXPECT_THAT(add("broken.proto"), HasSubstr("broken.proto, line 1"));
  EXPECT_EQ(add("needy.proto"), "needy.proto: the import broken.proto cannot be used. Correct broken.proto first")
      << "the import is no circle";
}

TEST(ProtoBounds, OfImports) {
  ProtoSchemas schemas;
  const auto read = [](const std::string& file) {
    const int number = std::stoi(file);
    return Result<std::string>("syntax = \"proto2\"; import \"" + std::to_string(number + 1) + ".proto\";");
  };
  EXPECT_THAT(schemas.Add("0.proto", *read("0"), read).message(),
              HasSubstr("'protos' has more than 200 files, with imports"));
}

}  // namespace
}  // namespace fensi::mapping
