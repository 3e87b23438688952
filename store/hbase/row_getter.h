// Reads rows whose width nobody knows, in answers of bounded size.
//
// Each row is asked for a share of the cells that one call may bring; a family that fills its share is read on from its
// last column, until its end. An answer that is too large all the same is asked for again in smaller ones. A row that
// is read in several calls is not read at one moment: a cell may be older than its neighbour, none is left out. Blocks;
// used by one thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "store/hbase/call_pace.h"
#include "store/hbase/cell_search.h"
#include "store/hbase/connection.h"
#include "store/store.h"

namespace fensi::store {

namespace thrift2 {
class TGet;
class TResult;
class TScan;
}  // namespace thrift2

/// What the reads of one call bring together, on several connections. Thread-safe.
class ReadBudget {
 public:
  /// SIZE_MAX: all.
  explicit ReadBudget(size_t bytes) : bytes_(bytes) {}
  bool bounded() const { return bytes_ != SIZE_MAX; }
  bool spent() const { return spent_ >= bytes_; }
  void Spend(size_t bytes) { spent_ += bytes; }
  /// The answers from this one on are not complete.
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
            CallPace* pace);

  /// Answer i belongs to request i; `answers` are as many. Begins no row, but for the first `at_least`, when the budget
  /// is spent.
  Status Read(std::span<const GetRequest> requests, size_t at_least, Row* answers);
  /// So many of the answers are complete.
  size_t answered() const { return answered_; }

 private:
  /// What is still to be read: a row, or one family of it from a column on.
  struct Piece {
    size_t answer = 0;
    GetRequest request;
    std::string from;   // qualifier; empty: from the beginning
    size_t fewest = 1;  // cells to ask for: one column may have many versions
    CellSearch search{};
  };
  using Families = std::map<std::string, std::vector<Cell>>;

  /// Rows that are begun are read to their end.
  void LeaveOutTheRest();
  Status ReadSome(const std::vector<Piece>& pieces, Row* answers);
  Status Call(const std::vector<thrift2::TGet>& gets, std::vector<thrift2::TResult>* results);
  bool FindLongRows(const std::vector<Piece>& pieces);
  size_t LimitOf(const Piece& piece, size_t pieces) const { return std::max(cells_ / pieces, piece.fewest); }
  /// Next time; false when one answer can hold no less.
  bool AskForLess(std::vector<Piece>* pieces);
  /// False: they are as large already.
  bool AllowLargestAnswers();
  void Take(const Piece& piece, size_t limit, std::vector<Cell> cells, Row* answer);
  /// What is complete of the cells of a family; the rest becomes a piece.
  std::span<Cell> Complete(const Piece& piece, size_t limit, std::span<Cell> cells);

  Connection& connection_;
  const std::string& table_;
  ReadBudget* const budget_;
  CallPace* const pace_;  // in rows
  int reply_bytes_;
  size_t answered_ = 0;
  size_t begun_ = 0;        // requests
  size_t cells_;            // of a call
  size_t rows_ = SIZE_MAX;  // of a call
  std::deque<Piece> left_;
  std::map<size_t, Families> cut_;  // answers that come in pieces
};

}  // namespace fensi::store
