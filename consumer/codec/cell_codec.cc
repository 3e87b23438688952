#include "consumer/codec/cell_codec.h"

#include <limits>
#include <utility>

#include "consumer/codec/event_check.h"
#include "proto/change_event.pb.h"

namespace fensi::consumer {

Status FillCell(proto::Cell* from, Cell* to) {
  const Result<CellType> type = CellTypeFromCode(from->type());
  if (!type.ok()) return type.status();
  to->type = *type;
  to->timestamp = from->timestamp();
  to->family.swap(*from->mutable_family());
  to->qualifier.swap(*from->mutable_qualifier());
  to->value.swap(*from->mutable_value());
  to->tags.clear();
  for (proto::CellTag& tag : *from->mutable_tags()) {
    if (tag.type() > std::numeric_limits<uint8_t>::max()) {
      return Status(StatusCode::kInvalidArgument, "the tag type " + std::to_string(tag.type()) + " is above 255");
    }
    to->tags.push_back({static_cast<uint8_t>(tag.type()), std::move(*tag.mutable_value())});
  }
  return {};
}

void FillMessageCell(const Cell& from, proto::Cell* to) {
  to->set_family(from.family);
  to->set_qualifier(from.qualifier);
  to->set_timestamp(from.timestamp);
  to->set_type(static_cast<proto::Cell::Type>(from.type));
  to->set_value(from.value);
  for (const Tag& tag : from.tags) {
    proto::CellTag* to_tag = to->add_tags();
    to_tag->set_type(tag.type);
    to_tag->set_value(tag.value);
  }
}

}  // namespace fensi::consumer
