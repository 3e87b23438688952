#include "tests/formats/golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "base/bytes.h"
#include "base/format_version.h"

namespace fensi::testing {
namespace {

constexpr size_t kDumpWidth = 16;
constexpr char kTextMark = '>';

bool IsText(std::string_view bytes) {
  const auto printable = [](unsigned char c) { return (c >= 0x20 && c < 0x7f) || c == '\n'; };
  return !bytes.empty() && std::all_of(bytes.begin(), bytes.end(), printable);
}

/// "0010  01 0a        |..|"
std::string DumpLine(size_t offset, std::string_view bytes) {
  char field[24];
  std::snprintf(field, sizeof field, "%04zx ", offset);
  std::string line = field, shown;
  for (const unsigned char c : bytes) {
    std::snprintf(field, sizeof field, " %02x", c);
    line += field;
    shown += c >= 0x20 && c < 0x7f ? static_cast<char>(c) : '.';
  }
  return line + std::string(3 * (kDumpWidth - bytes.size()), ' ') + "  |" + shown + "|\n";
}

std::string TextOf(const Piece& piece) {
  std::string text = piece.title + "\n";
  if (IsText(piece.bytes)) {
    std::string line;
    std::istringstream lines(piece.bytes + "\n");
    while (std::getline(lines, line)) text += kTextMark + (line.empty() ? "" : " " + line) + "\n";
    return text;
  }
  for (size_t at = 0; at < piece.bytes.size(); at += kDumpWidth) {
    text += DumpLine(at, std::string_view(piece.bytes).substr(at, kDumpWidth));
  }
  return text;
}

bool IsDump(const std::string& line) {
  const bool offset = line.size() > 6 && std::all_of(line.begin(), line.begin() + 4,
                                                     [](unsigned char c) { return std::isxdigit(c) != 0; });
  return offset && line.substr(4, 2) == "  ";
}

void AppendDumped(const std::string& line, std::string* bytes) {
  std::istringstream digits(line.substr(5, 3 * kDumpWidth));
  for (std::string byte; digits >> byte;) bytes->push_back(static_cast<char>(std::stoi(byte, nullptr, 16)));
}

std::filesystem::path PathOf(const std::string& name, int64_t format) {
  const char* root = std::getenv("FENSI_ROOT");
  return std::filesystem::path(root == nullptr ? "." : root) / "tests/formats/golden" /
         (name + "." + std::to_string(format) + ".txt");
}

std::vector<std::string> LinesOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path.string() + " is missing: FENSI_ACCEPT=1 writes it, look at it then");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with('#')) lines.push_back(line);
  }
  return lines;
}

}  // namespace

std::vector<Piece> Golden(const std::string& name, int64_t format) {
  std::vector<Piece> pieces;
  bool text = false;
  for (const std::string& line : LinesOf(PathOf(name, format))) {
    if (line.starts_with(kTextMark)) {
      pieces.back().bytes += (text ? "\n" : "") + line.substr(std::min<size_t>(2, line.size()));
      text = true;
    } else if (IsDump(line)) {
      AppendDumped(line, &pieces.back().bytes);
    } else {
      pieces.push_back({line, {}});
      text = false;
    }
  }
  return pieces;
}

void ExpectGolden(const std::string& name, int64_t format, const std::vector<Piece>& pieces) {
  std::string wanted, known;
  for (const Piece& piece : pieces) wanted += TextOf(piece);
  const std::filesystem::path path = PathOf(name, format);
  if (std::getenv("FENSI_ACCEPT") != nullptr && !std::filesystem::exists(path)) std::ofstream(path) << wanted;
  for (const std::string& line : LinesOf(path)) known += line + "\n";
  EXPECT_EQ(known, wanted) << path << ": what is kept has this form already; another form is another format "
                           << "(docs/versions.md)";
}

std::vector<int64_t> ReadableFormats(int64_t written) {
  std::vector<int64_t> formats;
  for (int64_t format = 1; format <= written; ++format) {
    if (ReadsFormat(format, written)) formats.push_back(format);
  }
  return formats;
}

Piece PieceOf(const std::string& row, const Cell& cell) {
  return {Escape(row) + " " + ColumnText(cell.family, cell.qualifier) + " " + std::to_string(cell.timestamp),
          cell.value};
}

std::vector<store::Row> RowsOf(const std::vector<Piece>& pieces) {
  std::vector<store::Row> rows;
  for (const Piece& piece : pieces) {
    std::istringstream words(piece.title);
    std::string row, column;
    Cell cell{.value = piece.bytes};
    words >> row >> column >> cell.timestamp;
    const size_t colon = column.find(':');
    row = *Unescape(row);
    cell.family = column.substr(0, colon);
    cell.qualifier = *Unescape(column.substr(colon + 1));
    if (rows.empty() || rows.back().row != row) rows.push_back({row, {}});
    rows.back().cells.push_back(std::move(cell));
  }
  return rows;
}

}  // namespace fensi::testing
