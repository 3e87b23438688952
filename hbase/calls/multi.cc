#include "hbase/calls/multi.h"

#include <google/protobuf/arena.h>

#include <utility>

#include "hbase/calls/messages.h"
#include "hbase/errors.h"
#include "hbase/wire/cell_writer.h"
#include "hbase/wire/framing.h"
#include "proto/hbase_client.pb.h"

namespace fensi::hbase {
namespace {

namespace pb = proto::hbase;
using google::protobuf::Arena;

template <typename Fill>
pb::MultiRequest* MakeMulti(std::span<const RegionActions> regions, Arena* arena, Fill fill) {
  auto* request = Arena::CreateMessage<pb::MultiRequest>(arena);
  for (const RegionActions& one : regions) {
    pb::RegionAction* region = request->add_regionaction();
    SetRegion(one.region->name, region->mutable_region());
    for (size_t i = 0; i < one.items.size(); ++i) {
      pb::Action* action = region->add_action();
      action->set_index(static_cast<uint32_t>(i));
      fill(one.items[i], action);
    }
  }
  return request;
}

Status Misfit(const std::string& why) { return UnreadableAnswer("Multi", why); }

RemoteError ErrorIn(const pb::NameBytesPair& exception) {
  RemoteError error{.exception = exception.name(), .message = FirstLine(exception.value(), exception.name())};
  return error;
}

Status ReadCells(const pb::Result& result, CellBlockReader* reader, std::vector<CellView>* cells) {
  for (int i = 0; i < result.associated_cell_count(); ++i) {
    CellView cell;
    if (reader->AtEnd()) return Misfit("it has fewer cells than it says");
    if (Status read = reader->Next(&cell); !read.ok()) return read.As(StatusCode::kUnavailable);
    cells->push_back(cell);
  }
  return {};
}

Status ReadRegion(const pb::RegionActionResult& result, size_t asked, CellBlockReader* reader, RegionAnswer* region) {
  if (result.has_exception()) region->error = ErrorIn(result.exception());
  std::vector<bool> seen(asked);
  region->items.reserve(static_cast<size_t>(result.resultorexception_size()));
  for (const pb::ResultOrException& one : result.resultorexception()) {
    if (one.index() >= asked) return Misfit("there is no action " + std::to_string(one.index()));
    if (seen[one.index()]) return Misfit("action " + std::to_string(one.index()) + " is answered twice");
    seen[one.index()] = true;
    RegionAnswer::OfItem item{.position = one.index()};
    if (one.has_exception()) item.error = ErrorIn(one.exception());
    FENSI_RETURN_IF_ERROR(ReadCells(one.result(), reader, &item.cells));
    region->items.push_back(std::move(item));
  }
  return {};
}

}  // namespace

size_t RequestBytes(const Mutation& mutation) {
  constexpr size_t kOverhead = 24;  // of an action
  size_t bytes = kOverhead + mutation.row.size();
  for (const Cell& cell : mutation.cells) bytes += WrittenBytes(mutation.row, cell);
  return bytes;
}

std::string BuildMutations(const CallHead& head, std::span<const RegionActions> regions,
                           std::span<const Mutation> mutations) {
  Arena arena;
  size_t cell_bytes = 0;
  const pb::MultiRequest* request = MakeMulti(regions, &arena, [&](size_t item, pb::Action* action) {
    const Mutation& mutation = mutations[item];
    FillMutation(mutation, action->mutable_mutation());
    for (const Cell& cell : mutation.cells) cell_bytes += WrittenBytes(mutation.row, cell);
  });
  return BuildCall(head, *request, cell_bytes, [&](char* to) {
    for (const RegionActions& one : regions) {
      for (const size_t item : one.items) {
        for (const Cell& cell : mutations[item].cells) to = WriteCell(mutations[item].row, cell, to);
      }
    }
  });
}

std::string BuildGets(const CallHead& head, std::span<const RegionActions> regions, std::span<const GetSpec> gets) {
  Arena arena;
  const pb::MultiRequest* request = MakeMulti(regions, &arena, [&](size_t item, pb::Action* action) {
    const GetSpec& spec = gets[item];
    pb::Get* get = action->mutable_get();
    get->set_row(spec.row);
    FillReading(spec.columns, spec.max_versions, spec.raw, get);
    if (spec.most_of_family > 0) get->set_store_limit(spec.most_of_family);
  });
  return BuildCall(head, *request);
}

Result<std::vector<RegionAnswer>> ReadMulti(const Answer& answer, std::span<const RegionActions> regions) {
  Arena arena;
  auto* response = Arena::CreateMessage<pb::MultiResponse>(&arena);
  if (!ParseMessage(answer.message, response)) return Misfit("it is no MultiResponse");
  if (static_cast<size_t>(response->regionactionresult_size()) != regions.size()) {
    return Misfit("it has " + std::to_string(response->regionactionresult_size()) + " regions, not " +
                  std::to_string(regions.size()));
  }
  std::vector<RegionAnswer> answers(regions.size());
  CellBlockReader reader(answer.cells);
  for (size_t i = 0; i < regions.size(); ++i) {
    FENSI_RETURN_IF_ERROR(
        ReadRegion(response->regionactionresult(static_cast<int>(i)), regions[i].items.size(), &reader, &answers[i]));
  }
  if (!reader.AtEnd()) return Misfit("it has more cells than it says");
  return answers;
}

}  // namespace fensi::hbase
