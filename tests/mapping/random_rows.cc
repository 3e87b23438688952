#include "tests/mapping/random_rows.h"

#include <set>

namespace fensi::mapping {

std::vector<VisibleCell> SourceRow::View() const {
  std::vector<VisibleCell> view;
  for (const SourceCell& cell : cells) view.push_back({cell.family, cell.qualifier, cell.timestamp, cell.value});
  return view;
}

const SourceCell* SourceRow::Find(std::string_view family, std::string_view qualifier) const {
  for (const SourceCell& cell : cells) {
    if (cell.family == family && cell.qualifier == qualifier) return &cell;
  }
  return nullptr;
}

std::string RandomValue(Dice* dice) {
  static const std::vector<std::string> kPieces = {
      "a", "b", "-", std::string(1, '\0'), "\x01", "A", ".", "x", "\xff", ",", "0", "1", "ab", " "};
  std::string text;
  switch (dice->Below(16)) {
    case 0:
      return std::to_string(dice->Number());
    case 1:
      return dice->Text({"", "", "+", "0"}) + std::to_string(dice->Below(100'000));
    case 2:
      return std::to_string(dice->Number() >> 22 & 0x1ff'ffff'ffff);
    case 3:
      return "2016-12-" + std::to_string(110 + dice->Below(19)).substr(1);
    case 4:
      return dice->Text({"{\"t\": [\"a\", \"ab\", 1]}", "{\"t\": [\"b\"], \"a\": 5}", "[\"-\"]"});
    case 5:
      return std::string("\x0A\x04\x08\x05\x30\x02", 6) + (dice->OneIn(2) ? std::string("\x0A\x02\x08\x07") : "");
    case 6:
      for (size_t left = dice->OneIn(2) ? 8 : 4; left > 0; --left) text += static_cast<char>(dice->Below(256));
      return text;
    case 7:
      return std::string(7, '\0') + static_cast<char>(dice->Below(256));
    case 8:
      return dice->Text({"2.5", "-19.90", "1e300", "19.9", "-0", "Infinity", "2016-12-19T10:02:03.5+08:00",
                         "192.0.2.17", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "YWI=", "123e4567-e89b-12d3-a456-426614174000",
                         "https://ann@Example.com:80/a?b#c", "\xC3\x84pfel"});
    case 9:
      return dice->Of(std::vector<std::string>{std::string("4ab\0", 4), std::string("\x80\0\0\1", 4), "\xC2\x02\x1F",
                                               "\x18\x27\xB4", std::string("+\x80\0\0*", 5),
                                               std::string("\0\0\0\2\7\xC6", 6), "\x3D\x64\x66"});
    default:
      for (size_t left = dice->Below(5); left > 0; --left) text += dice->Of(kPieces);
      return text;
  }
}

namespace {

std::string Joined(Dice* dice, const std::vector<std::string>& pieces, size_t most) {
  std::string text;
  for (size_t left = dice->Below(most + 1); left > 0; --left) text += dice->Of(pieces);
  return text;
}

// Two short pieces, of which everything is made; or a few values of all kinds and what is made of them.
std::vector<std::string> Pool(Dice* dice) {
  if (!dice->OneIn(3))
    return {dice->Text({"a", "b", "x"}), dice->OneIn(3) ? RandomValue(dice) : dice->Text({"a", "A", "-", "ab", "b"})};
  std::vector<std::string> pool;
  for (int i = 0; i < 4; ++i) pool.push_back(RandomValue(dice));
  pool.push_back(pool[1].substr(0, pool[1].size() / 2));
  return pool;
}

// Times 0 to 3 become days, half hours or less; some around the change of the clocks of Test/Half.
void SpreadTimes(Dice* dice, std::vector<SourceRow>* rows) {
  const int64_t begin = dice->OneIn(3) ? 1'451'606'400'000 - 86'400'000 : 1;
  const int64_t space = dice->Of(std::vector<int64_t>{86'400'000, 86'400'000, 1'800'000, 700});
  for (SourceRow& row : *rows) {
    for (SourceCell& cell : row.cells) {
      const int64_t more = dice->OneIn(4) ? space / 3 : 0;
      cell.timestamp = begin + cell.timestamp * space + more;
    }
  }
}

}  // namespace

std::vector<SourceRow> RandomRows(Dice* dice, size_t count) {
  const std::vector<std::string> pool = Pool(dice);
  const std::vector<std::string> families = {"f", "f", "f", "g", "fa"};
  const std::vector<std::string> names = {"a", "b", "c", "aa", "ab", "a-"};
  std::set<std::string> keys;
  std::vector<SourceRow> rows;
  for (size_t tries = 0; tries < 2 * count && rows.size() < count; ++tries) {
    SourceRow row;
    row.row = dice->OneIn(8) ? RandomValue(dice) : Joined(dice, pool, 3);
    if (row.row.empty() || !keys.insert(row.row).second) continue;
    const auto add = [&](const std::string& family, const std::string& name) {
      if (row.Find(family, name) != nullptr) return;
      const std::string value = dice->OneIn(8) ? RandomValue(dice) : Joined(dice, pool, 2);
      row.cells.push_back({family, name, value, static_cast<int64_t>(dice->Below(4))});
    };
    for (const char* name : {"a", "b"}) {
      if (!dice->OneIn(4)) add("f", name);
    }
    for (size_t left = dice->Below(5); left > 0; --left) add(dice->Of(families), dice->Of(names));
    rows.push_back(std::move(row));
  }
  SpreadTimes(dice, &rows);
  return rows;
}

}  // namespace fensi::mapping
