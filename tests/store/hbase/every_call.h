// Every call of a store on the fake gateway's table "t", by name, for tests of what servers do to calls.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

#include "store/retrying_store.h"
#include "store/store.h"
#include "tests/store/contract/store_contract.h"

namespace fensi::store {

enum class Kind { kRead, kWrite, kTable };

struct Call {
  const char* name;
  Kind kind;
  std::function<Status(Store*)> run;
};

/// Until it is answered: who makes the call repeats what no store repeats by itself.
inline Status RunPatiently(const Call& call, Store* store) {
  RetryingStore patient(store,
                        {.first_pause = std::chrono::milliseconds(1), .give_up_after = std::chrono::seconds(30)});
  Status status = call.run(&patient);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (status.code() == StatusCode::kUnavailable && std::chrono::steady_clock::now() < end) {
    status = call.run(&patient);
  }
  return status;
}

inline std::vector<RowMutation> Rows(const Cell& cell) { return {{"a", {cell}}, {"b", {cell}}, {"c", {cell}}}; }

inline std::vector<Call> EveryCall() {
  return {
      {"Put", Kind::kWrite, [](Store* s) { return s->Put("t", Rows(PutCell("f:q", 1, "v"))).status(); }},
      {"Delete", Kind::kWrite,
       [](Store* s) { return s->Delete("t", Rows(Marker(CellType::kDeleteColumn, "f:q", 1))).status(); }},
      {"CompareAndPut", Kind::kWrite,
       [](Store* s) {
         return s->CompareAndPut("t", {{"d", {PutCell("f:q", 1, "v")}}, "f", "q", ""}).status();
       }},
      {"Get", Kind::kRead,
       [](Store* s) {
         const GetRequest request{.row = "a", .columns = {{"f", std::nullopt}}};
         return s->Get("t", {&request, 1}).status();
       }},
      {"GetSome", Kind::kRead,
       [](Store* s) {
         const GetRequest request{.row = "a", .columns = {{"f", std::nullopt}}};
         return s->GetSome("t", {&request, 1}, 1).status();
       }},
      {"Scan", Kind::kRead,
       [](Store* s) {
         return s->Scan("t", {.columns = {{"f", std::nullopt}}}).status();
       }},
      {"CreateTable", Kind::kTable,
       [](Store* s) {
         return s->CreateTable({"t", {{.name = "f"}}}, {});
       }},
      {"DescribeTable", Kind::kTable, [](Store* s) { return s->DescribeTable("t").status(); }},
      {"TableNames", Kind::kTable, [](Store* s) { return s->TableNames().status(); }},
      {"RegionStarts", Kind::kTable, [](Store* s) { return s->RegionStarts("t").status(); }},
      {"IdentityOf", Kind::kTable, [](Store* s) { return s->IdentityOf("t").status(); }},
      {"DropTable", Kind::kTable, [](Store* s) { return s->DropTable("t"); }},
  };
}

}  // namespace fensi::store
