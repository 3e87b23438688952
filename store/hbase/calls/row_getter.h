// Reads rows of unknown width, in answers of bounded size.
//
// Each row is asked for a share of the cells that one call may return; a family that fills its share is continued from
// its last column, until its end. An answer that is too large is requested again in smaller ones. A row that is read in
// several calls is not read at one moment: a cell may be older than its neighbour, none is left out. Blocks; used by
// one thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "store/hbase/calls/call_sizer.h"
#include "store/hbase/wire/connection.h"
#include "store/store.h"

namespace fensi::store {

/// Chooses how many cells to ask for at once, while the size of cells and the number of cells of a column are unknown:
/// enough for a complete column, and few enough for an answer. Pure; one thread.
class CellSearch {
 public:
  /// This many did not fit into an answer: how many to ask for next, or absent: the column is larger than an answer.
  std::optional<size_t> Fewer(size_t asked);
  /// This many were all of one column, which has more: how many to ask for next.
  size_t More(size_t asked);
  /// The column is complete; the next one is another.
  void Found() { too_few_ = too_many_ = 0; }

 private:
  size_t too_few_ = 0;   // 0: unknown
  size_t too_many_ = 0;  // 0: unknown
};

// Reads rows of unknown width, in answers of bounded size.

namespace thrift2 {
class TGet;
class TResult;
class TScan;
}  // namespace thrift2

/// Bounds what the reads of one call return together, on several connections. Thread-safe.
class ReadBudget {
 public:
  /// SIZE_MAX: no bound.
  explicit ReadBudget(size_t bytes) : bytes_(bytes) {}
  bool bounded() const { return bytes_ != SIZE_MAX; }
  bool spent() const { return spent_ >= bytes_; }
  void Spend(size_t bytes) { spent_ += bytes; }
  /// The answers from this one on are incomplete.
  void EndsAt(size_t answer);
  size_t end() const { return end_; }

 private:
  const size_t bytes_;
  std::atomic<size_t> spent_{0};
  std::atomic<size_t> end_{SIZE_MAX};
};

struct ReadLimits {
  size_t cells = 200'000;  // of each family, over all rows of a call
};

class RowGetter {
 public:
  /// All arguments must outlive it.
  RowGetter(Connection& connection, const std::string& table, const ReadLimits& limits, ReadBudget* budget,
            CallSizer* pace);

  /// Answer i belongs to request i; `answers` has the same number. When the budget is spent, begins no further row
  /// except the first `at_least`.
  Status Read(std::span<const GetRequest> requests, size_t at_least, Row* answers);
  /// Number of complete answers.
  size_t answered() const { return answered_; }

 private:
  /// A pending read: a row, or one family of it from a column on.
  struct Piece {
    size_t answer = 0;
    GetRequest request;
    std::string from;   // qualifier; empty: from the beginning
    size_t fewest = 1;  // minimum cells to ask for: one column may have many versions
    CellSearch search{};
  };
  using Families = std::map<std::string, std::vector<Cell>>;

  /// Drops rows that are not begun. Rows that are begun are read to their end.
  void LeaveOutTheRest();
  Status ReadSome(const std::vector<Piece>& pieces, Row* answers);
  Status Call(const std::vector<thrift2::TGet>& gets, std::vector<thrift2::TResult>* results);
  bool FindLongRows(const std::vector<Piece>& pieces);
  size_t LimitOf(const Piece& piece, size_t pieces) const { return std::max(cells_ / pieces, piece.fewest); }
  /// Reduces the next request; false if one answer cannot be smaller.
  bool AskForLess(std::vector<Piece>* pieces);
  /// False: the answers are at their maximum already.
  bool AllowLargestAnswers();
  void Take(const Piece& piece, size_t limit, std::vector<Cell> cells, Row* answer);
  /// The complete cells of a family; the rest becomes a piece.
  std::span<Cell> Complete(const Piece& piece, size_t limit, std::span<Cell> cells);

  Connection& connection_;
  const std::string& table_;
  ReadBudget* const budget_;
  CallSizer* const pace_;  // in rows
  int reply_bytes_;
  size_t answered_ = 0;
  size_t begun_ = 0;        // requests
  size_t cells_;            // of a call
  size_t rows_ = SIZE_MAX;  // of a call
  std::deque<Piece> left_;
  std::map<size_t, Families> cut_;  // answers in pieces
};

}  // namespace fensi::store
