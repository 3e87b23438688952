// Where units live in the state table.
//
// One state row per source row, same row key. Families:
//   s  state of a unit; qualifier empty for a row unit, else "family:qualifier" of the column
//   d  doubt about a unit: qualifier "d" and that of the unit for what the last look left, written with its state;
//      "i", 8 random bytes of the assignment and that of the unit for an attempt's intent (M8.1)
//   m  family markers shared by the column units of the row that were never in doubt; qualifier empty
//   i  the index itself (indexer/index_meta.h); never read here
// The timestamp of an s or d cell is the unit's version (one less while a second look is to come), that of an m cell
// the version of the marker set. One put per row writes all its cells, so a row's state changes at once.
#pragma once

namespace fensi::indexer {

constexpr char kStateFamily[] = "s";
constexpr char kDoubtFamily[] = "d";
constexpr char kMarkerFamily[] = "m";
constexpr char kIndexFamily[] = "i";

}  // namespace fensi::indexer
