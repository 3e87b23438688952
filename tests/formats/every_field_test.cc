// A field that has a value in no golden file could come, change its number, or go, and no bytes would show it.
#include <gmock/gmock.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "consumer/codec/event_codec.h"
#include "consumer/codec/message.h"
#include "consumer/codec/request.h"
#include "indexer/state/layout.h"
#include "indexer/state/unit_codec.h"
#include "proto/change_event.pb.h"
#include "proto/dead_letter.pb.h"
#include "proto/state.pb.h"
#include "tests/formats/golden.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

class Fields {
 public:
  /// The message, and those in it, have these fields.
  void Know(const Descriptor& message) {
    for (int i = 0; i < message.field_count(); ++i) {
      const FieldDescriptor* field = message.field(i);
      if (without_value_.insert(field->full_name()).second && field->message_type() != nullptr)
        Know(*field->message_type());
    }
  }
  void HaveValuesIn(const Message& message) {
    std::vector<const FieldDescriptor*> set;
    message.GetReflection()->ListFields(message, &set);
    for (const FieldDescriptor* field : set) {
      without_value_.erase(field->full_name());
      if (field->message_type() != nullptr) InnerHaveValues(message, field);
    }
  }
  /// A failure of the test unless the bytes are such a message.
  template <typename Kind>
  void HaveValuesInBytes(const std::string& bytes) {
    Kind message;
    ASSERT_TRUE(message.ParseFromString(bytes));
    HaveValuesIn(message);
  }
  /// All pieces of the file.
  template <typename Kind>
  void HaveValuesInGolden(const std::string& name, int64_t format) {
    for (const Piece& piece : Golden(name, format)) HaveValuesInBytes<Kind>(piece.bytes);
  }
  const std::set<std::string>& without_value() const { return without_value_; }

 private:
  void InnerHaveValues(const Message& message, const FieldDescriptor* field) {
    const auto* reflection = message.GetReflection();
    if (!field->is_repeated()) return HaveValuesIn(reflection->GetMessage(message, field));
    for (int i = 0; i < reflection->FieldSize(message, field); ++i) {
      HaveValuesIn(reflection->GetRepeatedMessage(message, field, i));
    }
  }

  std::set<std::string> without_value_;
};

TEST(EveryField, OfAStateHasAValueInAGoldenFile) {
  Fields fields;
  fields.Know(*proto::UnitState::descriptor());
  fields.Know(*proto::DoubtState::descriptor());
  fields.HaveValuesInGolden<proto::DoubtState>("doubt_of_a_large_row", indexer::kStateFormat);
  for (const char* name : {"state_of_a_row", "state_of_a_column", "state_in_a_bucket"}) {
    const store::Row row = RowsOf(Golden(name, indexer::kStateFormat)).at(0);
    for (const Cell& cell : row.cells) {
      if (cell.family == indexer::kDoubtFamily) {
        fields.HaveValuesInBytes<proto::DoubtState>(cell.value);
      } else {
        fields.HaveValuesInBytes<proto::UnitState>(cell.value);
      }
    }
  }
  EXPECT_THAT(fields.without_value(), IsEmpty());
}

TEST(EveryField, OfTheStreamHasAValueInAGoldenFile) {
  Fields fields;
  fields.Know(*proto::ChangeEvent::descriptor());
  fields.HaveValuesInGolden<proto::ChangeEvent>("change_event", consumer::kEventVersion);
  fields.HaveValuesInGolden<proto::ChangeEvent>("change_event_row", consumer::kEventVersion);
  fields.HaveValuesInGolden<proto::ChangeEvent>("bulk_load", consumer::kEventVersion);
  fields.HaveValuesInGolden<proto::ChangeEvent>("mark", consumer::kEventVersion);
  fields.HaveValuesInGolden<proto::ChangeEvent>("mark_bulk_loads", consumer::kEventVersion);
  fields.HaveValuesInGolden<proto::ChangeEvent>("request", consumer::kRequestVersion);
  EXPECT_THAT(fields.without_value(), IsEmpty());
}

TEST(EveryField, OfADeadLetterHasAValueInAGoldenFile) {
  Fields fields;
  fields.Know(*proto::DeadLetter::descriptor());
  fields.HaveValuesInGolden<proto::DeadLetter>("dead_letter", 1);
  fields.HaveValuesInGolden<proto::DeadLetter>("dead_letter_ledger", 1);
  fields.HaveValuesInBytes<proto::DeadLetter>(Golden("dead_letter_kind", 1).at(0).bytes);
  EXPECT_THAT(fields.without_value(), IsEmpty());
}

}  // namespace
}  // namespace fensi::testing
