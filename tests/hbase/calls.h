// Calls of a client on the table "t" of FakeHBase.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hbase/cluster.h"
#include "hbase/wire/cell_writer.h"

namespace fensi::hbase {

inline const Permission kGranted;

inline Cell PutOf(const std::string& value) { return {"f", "q", 1, CellType::kPut, value, {}}; }

/// A cell as a cell block has it.
inline std::string CellBytes(std::string_view row, const std::string& qualifier) {
  const Cell cell{"f", qualifier, 1, CellType::kPut, "v", {}};
  std::string bytes(WrittenBytes(row, cell), '\0');
  WriteCell(row, cell, bytes.data());
  return bytes;
}

inline std::shared_ptr<Cluster> ClientOf(const ClusterOptions& options) { return Cluster::Open(options).value(); }

/// One row each, with its name as the value.
inline Status WriteRows(Cluster* client, const std::vector<std::string>& rows,
                        std::vector<Refusal>* refused = nullptr) {
  std::vector<std::vector<Cell>> cells;
  for (const std::string& row : rows) cells.push_back({PutOf(row)});
  std::vector<Mutation> mutations;
  for (size_t i = 0; i < rows.size(); ++i) mutations.push_back({rows[i], cells[i]});
  Result<std::vector<Refusal>> written = client->Write("t", mutations, kGranted);
  if (!written.ok()) return written.status();
  if (refused != nullptr) *refused = *written;
  const bool unexpected = refused == nullptr && !written->empty();
  return unexpected ? Status(StatusCode::kRejected, ErrorText(written->front().error)) : Status();
}

inline Status WriteValue(Cluster* client, const std::string& row, const std::string& value) {
  const std::vector<Cell> cells = {PutOf(value)};
  const Mutation mutation{row, cells};
  const auto refused = client->Write("t", {&mutation, 1}, kGranted);
  return refused.ok() && !refused->empty() ? Status(StatusCode::kRejected, "refused") : refused.status();
}

inline Status ReadRow(Cluster* client, const std::string& row, std::string* value = nullptr) {
  const GetSpec get{.row = row, .columns = {{"f", "q"}}};
  const auto rows = client->Get("t", std::span(&get, 1), kGranted);
  if (!rows.ok()) return rows.status();
  if (value != nullptr) *value = rows->front().cells.empty() ? "" : std::string(rows->front().cells.front().value);
  return {};
}

inline Result<bool> ChangeRow(Cluster* client, const std::string& row, const std::string& expected,
                              const std::string& value) {
  const std::vector<Cell> cells = {PutOf(value)};
  std::optional<RemoteError> refused;
  const Result<bool> done = client->WriteIf("t", {row, cells}, {"f", "q", expected}, kGranted, &refused);
  if (done.ok() && refused) return Status(CodeOf(*refused), ErrorText(*refused));
  return done;
}

}  // namespace fensi::hbase
