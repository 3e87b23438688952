// From what a raw scan brings of a source row to requests for the row's owner (M15): an image with every marker on what
// the index watches, and of each watched column the newest put, unless a marker of the same read hides it. What does
// not fit into one message travels as several partial images; a cell that alone is too large becomes a recheck, by
// which the owner reads it himself.
//
// Pure but for `use`; one thread. The index outlives it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "consumer/codec/request.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::sweep {

struct ImageOptions {
  std::string incarnation;  // of the index
  std::string job;
  size_t most_bytes = size_t{256} << 10;  // of the cells of one request
  size_t most_cell = size_t{768} << 10;   // of a cell that travels
};

class ImageMaker {
 public:
  using Use = std::function<Status(const consumer::Request&)>;
  ImageMaker(const mapping::Index* index, ImageOptions options, Use use);

  /// A row, or the next piece of it, from a raw read of one version that began at `read_time`.
  Status Take(const store::Row& piece, int64_t read_time);

 private:
  void BeginRow(const std::string& row);
  Status TakeCell(const Cell& cell);
  bool IsWatched(const Cell& cell) const;
  /// Looks at markers as they come; a put is hidden by those that came before it.
  bool IsHidden(const Cell& cell);
  /// What was taken goes; `whole`: it is all of the row.
  Status Send(bool whole);
  Status SendRecheck(const Cell& cell);
  consumer::Request RequestOf(consumer::Request::Kind kind) const;

  const mapping::Index* const index_;
  const ImageOptions options_;
  const Use use_;
  consumer::Request image_;
  size_t bytes_ = 0;
  std::string row_;
  bool goes_on_ = false;                           // the next piece may be of the same row
  bool sent_ = false;                              // something of the row went already
  std::map<std::string, int64_t> family_markers_;  // the newest of each family that deletes all before it
  std::string family_, qualifier_;                 // the column of the last cell
  int64_t column_marker_ = -1;                     // the newest of it
};

}  // namespace fensi::sweep
