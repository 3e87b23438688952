// What goes over the wire for puts and deletes, byte for byte what Thrift's own client sends.
#include "store/hbase/messages/write_calls.h"

#include <gtest/gtest.h>
#include <thrift/transport/TBufferTransports.h>

#include "THBaseService.h"
#include "store/hbase/messages/conversions.h"
#include "tests/store/contract/store_contract.h"

namespace fensi::store {
namespace {

using apache::thrift::transport::TBufferedTransport;
using apache::thrift::transport::TMemoryBuffer;

/// Bytes that `write` sends by a protocol of its own.
template <typename Write>
std::string Sent(Write write) {
  const auto memory = std::make_shared<TMemoryBuffer>();
  write(std::make_shared<GatewayProtocol>(std::make_shared<TBufferedTransport>(memory)));
  return memory->getBufferAsString();
}

std::string SentByThrift(const std::string& table, const std::vector<RowMutation>& rows) {
  return Sent([&](const std::shared_ptr<GatewayProtocol>& protocol) {
    std::vector<thrift2::TPut> puts;
    for (const RowMutation& row : rows) puts.push_back(ToPut(row));
    thrift2::THBaseServiceClient(protocol).send_putMultiple(table, puts);
  });
}

std::string DeletesSentByThrift(const std::string& table, const std::vector<RowMutation>& rows) {
  return Sent([&](const std::shared_ptr<GatewayProtocol>& protocol) {
    std::vector<thrift2::TDelete> deletes;
    for (const RowMutation& row : rows) {
      std::vector<thrift2::TDelete> of_row = ToDeletes(row);
      ASSERT_EQ(of_row.size(), 1u);
      deletes.push_back(std::move(of_row.front()));
    }
    thrift2::THBaseServiceClient(protocol).send_deleteMultiple(table, deletes);
  });
}

std::string DeletesSentByUs(const std::string& table, const std::vector<RowMutation>& rows,
                            const std::vector<size_t>& indexes) {
  return Sent([&](const std::shared_ptr<GatewayProtocol>& protocol) {
    WriteDeleteMultiple(table, rows, indexes, protocol.get());
  });
}

RowMutation DeleteOf(const std::string& row, CellType type, size_t cells) {
  RowMutation mutation{row, {}};
  for (size_t i = 0; i < cells; ++i) {
    mutation.cells.push_back(
        {.family = "f" + std::to_string(i), .qualifier = "q", .timestamp = int64_t(i), .type = type});
    if (IsFamilyMarker(type)) mutation.cells.back().qualifier.clear();
  }
  return mutation;
}

std::string SentByUs(const std::string& table, const std::vector<RowMutation>& rows,
                     const std::vector<size_t>& indexes) {
  return Sent([&](const std::shared_ptr<GatewayProtocol>& protocol) {
    WritePutMultiple(table, rows, indexes, protocol.get());
  });
}

TEST(WritePutMultiple, SendsWhatThriftSends) {
  const RowMutation plain{"r", {PutCell("f:q", 0, "v"), PutCell("f:", INT64_MAX, ""), PutCell("g:q", 5, "w")}};
  const RowMutation expiring{std::string("\0\xff", 2), {Expiring(PutCell("f:q", 5, "v"), 3000)}};
  const RowMutation large{"l", {PutCell("f:q", 1, std::string(200'000, 'x'))}};
  const std::vector<RowMutation> rows{plain, expiring, large, {"s", {PutCell("f:q", 7, "z")}}};
  EXPECT_EQ(SentByUs("n:t", rows, {0, 1, 2, 3}), SentByThrift("n:t", rows));
}

TEST(WriteDeleteMultiple, SendsWhatThriftSends) {
  std::vector<RowMutation> rows;
  for (const CellType type : {CellType::kDelete, CellType::kDeleteColumn, CellType::kDeleteFamilyVersion}) {
    rows.push_back(DeleteOf("one", type, 1));
    rows.push_back(DeleteOf(std::string("\0three", 6), type, 3));
  }
  rows.push_back(DeleteOf("family", CellType::kDeleteFamily, 1));
  for (const RowMutation& row : rows) EXPECT_TRUE(IsOneDelete(row));
  EXPECT_EQ(DeletesSentByUs("n:t", rows, {0, 1, 2, 3, 4, 5, 6}), DeletesSentByThrift("n:t", rows));
  EXPECT_EQ(DeletesSentByUs("t", rows, {3, 0}), DeletesSentByThrift("t", {rows[3], rows[0]}));
}

TEST(WriteDeleteMultiple, TakesNoRowThatIsSeveralDeletes) {
  RowMutation mixed = DeleteOf("r", CellType::kDeleteColumn, 2);
  mixed.cells[1].type = CellType::kDelete;
  EXPECT_FALSE(IsOneDelete(mixed));
  EXPECT_FALSE(IsOneDelete(DeleteOf("r", CellType::kDeleteFamily, 2))) << "of one family only the last would count";
}

TEST(WritePutMultiple, SendsTheRowsThatAreAskedFor) {
  const std::vector<RowMutation> rows{
      {"a", {PutCell("f:q", 1, "v")}}, {"b", {PutCell("f:q", 2, "v")}}, {"c", {PutCell("f:q", 3, "v")}}};
  EXPECT_EQ(SentByUs("t", rows, {2, 0}), SentByThrift("t", {rows[2], rows[0]}));
  EXPECT_EQ(SentByUs("t", rows, {}), SentByThrift("t", {}));
}

}  // namespace
}  // namespace fensi::store
