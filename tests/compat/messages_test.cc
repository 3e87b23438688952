// Messages of a version that was, tests/compat/VERSION/messages.txt, against those of this one.
#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "proto/change_event.pb.h"
#include "proto/dead_letter.pb.h"
#include "proto/state.pb.h"
#include "tests/compat/wire_breaks.h"

namespace fensi::testing {
namespace {

using google::protobuf::FileDescriptorSet;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

FileDescriptorSet FromText(const std::string& text) {
  FileDescriptorSet set;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &set)) << text;
  return set;
}

FileDescriptorSet OfThisVersion() {
  FileDescriptorSet set;
  proto::ChangeEvent::descriptor()->file()->CopyTo(set.add_file());
  proto::DeadLetter::descriptor()->file()->CopyTo(set.add_file());
  proto::UnitState::descriptor()->file()->CopyTo(set.add_file());
  return set;
}

std::vector<std::filesystem::path> Kept() {
  std::vector<std::filesystem::path> found;
  const std::filesystem::path folder = std::filesystem::path(std::getenv("FENSI_ROOT")) / "tests/compat";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (std::filesystem::exists(entry.path() / "messages.txt")) found.push_back(entry.path() / "messages.txt");
  }
  return found;
}

TEST(Messages, OfEachKeptVersionAreReadAsTheyWereMeant) {
  const auto kept = Kept();
  ASSERT_FALSE(kept.empty());
  for (const auto& path : kept) {
    std::ifstream file(path);
    const FileDescriptorSet before = FromText({std::istreambuf_iterator<char>(file), {}});
    ASSERT_EQ(before.file_size(), 3) << path;
    EXPECT_THAT(WireBreaks(before, OfThisVersion()), IsEmpty()) << path << " (docs/versions.md)";
  }
}

/// One message with these fields, and an enum within it.
FileDescriptorSet Message(const std::string& body) {
  return FromText("file { message_type { name: 'M' " + body + " } }");
}

const char kField[] = "field { name: 'a' number: 1 label: LABEL_OPTIONAL type: TYPE_INT64 }";
const char kAnother[] = "field { name: 'b' number: 2 label: LABEL_OPTIONAL type: TYPE_BYTES }";
const char kReserved[] = "reserved_range { start: 1 end: 2 }";

TEST(WireBreaks, WhatIsAddedIsNone) {
  EXPECT_THAT(WireBreaks(Message(kField), Message(std::string(kField) + kAnother)), IsEmpty());
}

TEST(WireBreaks, AFieldMayGoWhereItsNumberIsReserved) {
  EXPECT_THAT(WireBreaks(Message(kField), Message(kAnother)), ElementsAre(".M number 1: a went, and is not reserved"));
  EXPECT_THAT(WireBreaks(Message(kField), Message(kReserved)), IsEmpty());
}

TEST(WireBreaks, AReservedNumberIsNotUsedAgain) {
  EXPECT_THAT(WireBreaks(Message(kReserved), Message(kField)), ElementsAre(".M number 1: was reserved, and is a"));
}

TEST(WireBreaks, AFieldKeepsNameTypeAndCount) {
  const auto now = [](const std::string& words) { return Message("field { number: 1 " + words + " }"); };
  EXPECT_THAT(WireBreaks(Message(kField), now("name: 'c' label: LABEL_OPTIONAL type: TYPE_INT64")),
              ElementsAre(".M number 1: was a, and is c"));
  EXPECT_THAT(WireBreaks(Message(kField), now("name: 'a' label: LABEL_OPTIONAL type: TYPE_SINT64")),
              ElementsAre(".M number 1: was TYPE_INT64, and is TYPE_SINT64"));
  EXPECT_THAT(WireBreaks(Message(kField), now("name: 'a' label: LABEL_REPEATED type: TYPE_INT64")),
              ElementsAre(".M number 1: was TYPE_INT64, and is repeated TYPE_INT64"));
  EXPECT_THAT(WireBreaks(Message(kField), now("name: 'a' label: LABEL_OPTIONAL type: TYPE_INT64 oneof_index: 0")),
              ElementsAre(".M number 1: was TYPE_INT64, and is TYPE_INT64 of a oneof"));
  EXPECT_THAT(WireBreaks(now("name: 'a' label: LABEL_OPTIONAL type: TYPE_MESSAGE type_name: '.N'"),
                         now("name: 'a' label: LABEL_OPTIONAL type: TYPE_MESSAGE type_name: '.O'")),
              ElementsAre(".M number 1: was TYPE_MESSAGE.N, and is TYPE_MESSAGE.O"));
}

TEST(WireBreaks, AValueOfAnEnumKeepsItsName) {
  const auto kinds = [](const std::string& body) { return Message("enum_type { name: 'E' " + body + " }"); };
  EXPECT_THAT(WireBreaks(kinds("value { name: 'X' number: 3 }"), kinds("value { name: 'Y' number: 3 }")),
              ElementsAre(".M.E number 3: was X, and is Y"));
  EXPECT_THAT(WireBreaks(kinds("value { name: 'X' number: 3 }"), kinds("reserved_range { start: 3 end: 3 }")),
              IsEmpty());
}

TEST(WireBreaks, AMessageOrAnEnumDoesNotGo) {
  EXPECT_THAT(WireBreaks(Message("nested_type { name: 'N' } enum_type { name: 'E' }"), Message("")),
              ElementsAre(".M.E went", ".M.N went"));
  EXPECT_THAT(WireBreaks(Message(""), FileDescriptorSet()), ElementsAre(".M went"));
}

TEST(WireBreaks, WhichFileAMessageIsInDoesNotMatter) {
  EXPECT_THAT(
      WireBreaks(Message(kField), FromText("file {} file { message_type { name: 'M' " + std::string(kField) + " } }")),
      IsEmpty());
}

}  // namespace
}  // namespace fensi::testing
