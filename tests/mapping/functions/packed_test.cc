// What is claimed of a number inside of a packed value: its range and its order, of each type that such a number has.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>

#include "mapping/functions/avro_schemas.h"
#include "mapping/functions/function.h"
#include "mapping/functions/proto_path.h"
#include "mapping/functions/proto_schemas.h"

namespace fensi::mapping {
namespace {

/// Sorted, from one edge of 64 bits to the other.
std::vector<int64_t> Numbers() {
  std::mt19937_64 random(51);
  std::vector<int64_t> numbers = {INT64_MIN, INT64_MAX, 0};
  for (const int64_t edge : {int64_t{INT32_MIN}, int64_t{INT32_MAX}, int64_t{UINT32_MAX}, int64_t{0}}) {
    for (int64_t near = -2; near <= 2; ++near) numbers.push_back(edge + near);
  }
  while (numbers.size() < 1000) numbers.push_back(static_cast<int64_t>(random()) >> random() % 64);
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

std::string Varint(uint64_t bits) {
  std::string out;
  for (; bits >= 0x80; bits >>= 7) out.push_back(static_cast<char>(bits | 0x80));
  return out + static_cast<char>(bits);
}

std::string Fixed(uint64_t bits, size_t width) {
  std::string out;
  for (size_t i = 0; i < width; ++i) out.push_back(static_cast<char>(bits >> (8 * i)));
  return out;
}

uint64_t Zigzag(int64_t number) { return static_cast<uint64_t>(number) << 1 ^ static_cast<uint64_t>(number >> 63); }

Shape ShapeOf(const char* function, const Arguments& arguments, Shape before = {}) {
  FindFunction(function)->shape(arguments, &before);
  return before;
}

/// What `function` gives of the bytes that `write` makes of each number: a value, or nothing.
template <typename Write>
void ExpectClaimed(const std::string& type, const char* function, const Arguments& arguments, const Write& write) {
  const Shape shape = ShapeOf(function, arguments);
  ASSERT_EQ(shape.type, Type::kInteger) << type;
  ASSERT_EQ(shape.order, Direction::kUp) << type;
  EXPECT_FALSE(shape.injective || shape.mappable || shape.piece) << type;
  Scratch scratch;
  size_t read = 0;
  for (const int64_t number : Numbers()) {
    const std::string bytes = write(number);
    Value value{.bytes = bytes};
    if (FindFunction(function)->apply(arguments, &value, &scratch) != Outcome::kValue) continue;
    EXPECT_GE(value.number, shape.least) << type << " " << number;
    EXPECT_LE(value.number, shape.most) << type << " " << number;
    read += value.number == number ? 1 : 0;
  }
  EXPECT_GT(read, 100U) << type;
}

Arguments OfAvro(const std::string& type) {
  auto schemas = std::make_shared<AvroSchemas>();
  const std::string text = R"({"type": "record", "name": "R", "fields": [{"name": "v", "type": )" + type + "}]}";
  EXPECT_EQ(schemas->Add("r.avsc", text).message(), "");
  std::string problem;
  Arguments arguments(2);
  arguments[1].avro = ResolveAvroPath(schemas, schemas->Find("R"), "v", &problem);
  EXPECT_EQ(problem, "");
  return arguments;
}

Arguments OfProto(const std::string& type) {
  const auto none = [](const std::string& name) { return Result<std::string>(Status(StatusCode::kNotFound, name)); };
  auto schemas = std::make_shared<ProtoSchemas>();
  const std::string text = "syntax = \"proto3\"; message M { optional " + type + " v = 1; }";
  EXPECT_EQ(schemas->Add("m.proto", text, none).message(), "");
  std::string problem;
  Arguments arguments(2);
  arguments[1].proto = ResolveProtoPath(schemas, schemas->Find("M"), "v", &problem);
  EXPECT_EQ(problem, "");
  return arguments;
}

TEST(Packed, IntegersOfAvroAreInTheirRangeAndOrder) {
  const auto zigzag = [](int64_t number) { return Varint(Zigzag(number)); };
  ExpectClaimed("int", "avro", OfAvro("\"int\""), zigzag);
  ExpectClaimed("long", "avro", OfAvro("\"long\""), zigzag);
  for (const char* type : {R"(["null", "int", "long"])", R"(["null", "long", "int"])"}) {
    for (const char* branch : {"\x02", "\x04"}) {
      ExpectClaimed(type, "avro", OfAvro(type), [&](int64_t number) { return branch + Varint(Zigzag(number)); });
    }
  }
  EXPECT_EQ(ShapeOf("avro", OfAvro("\"int\"")).most, INT32_MAX);
}

TEST(Packed, IntegersOfProtobufAreInTheirRangeAndOrder) {
  const auto plain = [](int64_t number) { return "\x08" + Varint(static_cast<uint64_t>(number)); };
  for (const char* type : {"int32", "int64", "uint32", "uint64"}) ExpectClaimed(type, "proto", OfProto(type), plain);
  for (const char* type : {"sint32", "sint64"}) {
    ExpectClaimed(type, "proto", OfProto(type), [](int64_t number) { return "\x08" + Varint(Zigzag(number)); });
  }
  for (const char* type : {"fixed32", "sfixed32"}) {
    ExpectClaimed(type, "proto", OfProto(type),
                  [](int64_t number) { return "\x0D" + Fixed(static_cast<uint64_t>(number), 4); });
  }
  for (const char* type : {"fixed64", "sfixed64"}) {
    ExpectClaimed(type, "proto", OfProto(type),
                  [](int64_t number) { return "\x09" + Fixed(static_cast<uint64_t>(number), 8); });
  }
  EXPECT_TRUE(ShapeOf("proto", OfProto("uint64")).non_negative());
  EXPECT_EQ(ShapeOf("proto", OfProto("int32")).least, INT32_MIN);
}

TEST(Packed, TextsAndWhatIsInAHashHaveNoOrder) {
  for (const char* type : {"\"string\"", "\"double\"", "\"boolean\""}) {
    EXPECT_EQ(ShapeOf("avro", OfAvro(type)).order, Direction::kNone) << type;
    EXPECT_TRUE(ShapeOf("avro", OfAvro(type)).piece) << type;
  }
  EXPECT_EQ(ShapeOf("proto", OfProto("double")).order, Direction::kNone);
  Shape hashed;
  FindFunction("md5")->shape({}, &hashed);
  EXPECT_EQ(ShapeOf("avro", OfAvro("\"long\""), hashed).order, Direction::kNone);
  EXPECT_FALSE(ShapeOf("avro", OfAvro("\"string\""), hashed).piece);
  EXPECT_EQ(ShapeOf("proto", OfProto("int64"), hashed).order, Direction::kNone);
}

}  // namespace
}  // namespace fensi::mapping
