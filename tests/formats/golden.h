// Bytes as they are kept, in a form for people: golden/NAME.FORMAT.txt. A file is a list of pieces, each a title and
// its bytes: lines of text behind ">", or else a dump in hexadecimal; lines that begin with # are remarks.
//
// Formats are never changed, only followed by the next: with FENSI_ACCEPT=1 a file that is missing is written, never
// one that is there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/cell.h"
#include "store/store.h"

namespace fensi::testing {

struct Piece {
  std::string title;
  std::string bytes;
  bool operator==(const Piece&) const = default;
};

/// The pieces of the file.
std::vector<Piece> Golden(const std::string& name, int64_t format);
/// A failure of the test that shows both, if the file says anything else.
void ExpectGolden(const std::string& name, int64_t format, const std::vector<Piece>& pieces);
/// The formats that a program reads which writes this one.
std::vector<int64_t> ReadableFormats(int64_t written);

/// A cell as a piece: its place is the title.
Piece PieceOf(const std::string& row, const Cell& cell);
/// The rows behind such pieces, which must stand in the order of the rows.
std::vector<store::Row> RowsOf(const std::vector<Piece>& pieces);

}  // namespace fensi::testing
