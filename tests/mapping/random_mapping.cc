#include "tests/mapping/random_mapping.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "mapping/mapping.h"
#include "tests/mapping/mapping_testing.h"

namespace fensi::mapping {
namespace {

/// Two parts of one number: a unit, and where in it; for one after another in the key, or in key and column.
struct Halves {
  std::string unit, rest;
};

Halves OfOneNumber(Dice* dice, const std::string& time) {
  const std::string begin = "{" + time + (IsTime(time) ? "" : " | int | from_ms");
  const std::vector<Halves> kinds = {
      {" | floor_hour | to_be 8}", " | millis | mod 3600000 | to_be 4}"},
      {" | floor_hour | seconds | to_be 4}", " | seconds | mod 3600 | to_be 2}"},
      {" | floor_day | descending | to_be 8}", " | millis | mod 86400000 | decimal 8}"},
      {" | millis | div 60000 | ordered}", " | time %S%L}"},
      {" | time %Y%m%d%H}", " | time %M%S%L}"},
      {" | time %Y-%m-%d +08:00}", " | time %H:%M:%S +08:00}"},
      {" | time %Y%m%d Test/Half}", " | time %H%M%S%L Test/Half}"},
      {" | seconds | floor 60 | decimal 13}", " | millis | mod 1000 | to_be 2}"},
      {" | millis | sub 7 | floor 1000 | ordered}", " | millis | add 3 | mod 2000 | to_be 2}"},
      {" | millis | mod 1000 | decimal 3}", " | millis | mod 7 | decimal 1}"},
  };
  const Halves halves = dice->Of(kinds);
  return {begin + halves.unit, begin + halves.rest};
}

std::string TimeOf(Dice* dice, const std::vector<std::string>& references) {
  const bool bound = std::find(references.begin(), references.end(), "ts") != references.end();
  return bound ? "ts" : dice->Text({"f:a@ts", "f:a@ts", "f:b"});
}

std::string ListPart(Dice* dice) {
  return dice->Text({"{f:a | split \",\"}", "{f:a | split \"-\"}", "{f:b | json_list t}", "{f:a | split ab}",
                     "{f:c | proto example.VisitorsInfo visitor}"});
}

/// References that the templates of an index with this `each:` may use.
std::vector<std::string> ReferencesOf(Dice* dice, std::string* each) {
  std::vector<std::string> references = {"row", "row", "f:a", "f:b", "f:a@ts", "f:c", "g:a"};
  const size_t kind = dice->Below(10);
  if (kind < 3) {
    const std::vector<std::string> names = {"row", "row", "qualifier", "qualifier", "value", "ts", "family", "f:a"};
    references = names;
    *each = "each: " + dice->Text({"f:*", "f:a*", "['f:*', 'g:*']", "['f:*', 'fa:*']"});
  } else if (kind < 5) {
    references.insert(references.end(), {"item", "item", "item"});
    *each = "each: '" + ListPart(dice) + "'";
  }
  return references;
}

std::string RandomCondition(Dice* dice) {
  return dice->Text({"'{f:b}'", "'{f:a | int | default 7} >= 5'", "'{f:a | default a} != b'", "'{f:a | first 1} == a'",
                     "'{f:a@ts} < 1000000'"});
}

void AddOptions(Dice* dice, std::string* file) {
  const auto maybe = [&](size_t chance, const std::string& line) {
    if (dice->OneIn(chance)) *file += "    " + line + "\n";
  };
  maybe(6, "when: [ " + RandomCondition(dice) + " ]");
  maybe(6, "requires: " + dice->Text({"f:b", "f:a"}));
  const std::string shares = dice->Text({"shared: true", "unique: true"});
  maybe(12, shares);
  maybe(8, "expire: exact");
  *file += "    create: { families: { f: { ttl: 60d }, g: { ttl: 60d } }";
  *file += dice->OneIn(4) ? ", split: { hex: 4 } }\n" : " }\n";
}

// Few and simple parts: most of what keeps rows apart, or fails to, lies at the borders of parts.
std::string BareMapping(Dice* dice) {
  const bool each = dice->OneIn(3);
  const auto part = [&] {
    return each ? dice->Text({"{row}", "{qualifier}", "{qualifier | terminated}", "{row | terminated}", "a",
                              "{value | terminated}", "{family}", "{value | fixed 1}"})
                : dice->Text({"{row}", "{row}", "{f:a}", "{f:a | terminated}", "{row | terminated}", "{f:a | fixed 1}",
                              "{f:a | without a | upper}A", "{f:b | without \"-\"}-", "a", "b"});
  };
  const auto parts = [&](size_t least) {
    std::string text;
    for (size_t left = least + dice->Below(3); left > 0; --left) text += part();
    return text;
  };
  std::string file = "source: t\nindexes:\n  x:\n    table: x_table\n    requires: f:a\n";
  if (each)
    file = "source: t\nindexes:\n  x:\n    table: x_table\n    each: " + dice->Text({"f:*", "['f:*', 'fa:*']"}) + "\n";
  const std::string first = parts(0);
  const std::string second = parts(0);
  file += "    row: '" + parts(1) + "'\n    columns:\n      'f:" + first + "': ''\n";
  if (second != first && dice->OneIn(2)) file += "      'f:" + second + "': ''\n";
  return file;
}

}  // namespace

int Runs(int otherwise) {
  if (const char* wanted = std::getenv("FENSI_MAPPINGS")) return std::atoi(wanted);
#if defined(FENSI_SANITIZED)
  return otherwise / 20;
#else
  return otherwise;
#endif
}

std::string RandomMapping(Dice* dice) {
  if (dice->OneIn(3)) return BareMapping(dice);
  std::string each;
  const std::vector<std::string> references = ReferencesOf(dice, &each);
  std::string file = "source: t\nprotos: [visitors.proto]\navros: [orders.avsc]\nindexes:\n  x:\n";
  const bool period = dice->OneIn(8);
  const std::string time =
      dice->Text({"f:a@ts | time %Y%m%d", "f:b | int | from_ms | time %Y%m", "f:a@ts | time %Y%m%d%H%M Test/Half",
                  "f:a@ts | time %Y-%m-%d_%H +08:00", "f:b | int | from_s | floor_day | seconds | decimal"});
  Halves halves;
  if (dice->OneIn(6)) halves = OfOneNumber(dice, TimeOf(dice, references));
  file += period ? "    table: 'x_{" + time + "}'\n    retention: 30d\n" : "    table: x_table\n";
  if (!each.empty()) file += "    " + each + "\n";
  const std::string salt = dice->OneIn(6)
                               ? "{row | " + dice->Text({"crc32 | u32 | mod 4 | to_be 1}",
                                                         "crc32 | u32 | mod 4 | decimal 1}", "salt 4}", "salt 300}"})
                               : "";
  const bool both_in_key = dice->OneIn(3);
  file += "    row: '" + salt + halves.unit + (both_in_key ? halves.rest : "") + RandomTemplate(dice, references) +
          "'\n    columns:\n";
  std::set<std::string> columns;
  for (size_t left = dice->Below(3) + 1; left > 0; --left) {
    const std::string name = dice->Text({"f:", "f:", "g:"}) + dice->Text({"", "", "a", "b", "ab"}) +
                             (both_in_key ? "" : halves.rest) +
                             (dice->OneIn(4) ? "" : RandomTemplate(dice, references));
    if (!columns.insert(name).second) continue;
    const std::string value = dice->OneIn(3) ? "" : RandomTemplate(dice, references);
    file += "      '" + name + "': '" + value + "'\n";
  }
  AddOptions(dice, &file);
  return file;
}

std::shared_ptr<const Index> LoadText(const std::string& file) {
  Diagnostics diagnostics;
  const std::vector<Mapping> mappings = Load({{"test.yaml", file}}, &diagnostics, TestEnvironment());
  return mappings.empty() ? nullptr : mappings[0].indexes[0];
}

int ForEachAccepted(int seeds, const AcceptedProperty& property) {
  int accepted = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    Dice dice(static_cast<uint64_t>(seed));
    Accepted mapping;
    mapping.file = RandomMapping(&dice);
    mapping.index = LoadText(mapping.file);
    if (mapping.index == nullptr) continue;
    ++accepted;
    const std::string wrong = property(mapping, &dice);
    if (wrong.empty()) continue;
    ADD_FAILURE() << "seed " << seed << "\n" << mapping.file << wrong;
    break;
  }
  return accepted;
}

}  // namespace fensi::mapping
