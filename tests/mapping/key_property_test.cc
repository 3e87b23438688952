// A reader who knows the first parts of an entry finds it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "mapping/lookup.h"
#include "tests/mapping/mapping_testing.h"
#include "tests/mapping/random_templates.h"

namespace fensi::mapping {
namespace {

constexpr int kValuesPerTemplate = 20;

/// A source row with the columns f:a and f:b.
struct Source {
  std::string row, a, b;
  int64_t time = 0;

  std::string Of(const std::string& reference) const {
    if (reference == "row") return row;
    if (reference == "f:a") return a;
    return reference == "f:b" ? b : std::to_string(time);
  }
};

Source RandomSource() {
  Source source{RandomValue(), RandomValue(), RandomValue(), *rc::gen::inRange<int64_t>(0, 4'000'000'000'000)};
  if (source.row.empty()) source.row = "r";
  return source;
}

/// Pieces of one value are parts by names of their own; lookup_property_test asks for those.
bool IsReference(const std::string& part) { return part.find('|') == std::string::npos; }

RC_GTEST_PROP(Lookup, OfTheFirstPartsOfAnEntryFindsIt, ()) {
  const std::string row = RandomTemplate({"row", "f:a", "f:b", "f:a@ts"});
  RC_LOG() << row << "\n";
  const auto index = TryLoadIndex({"row: '" + row + "'", "columns: { 'f:{row}': '{f:a}' }"});
  RC_PRE(static_cast<bool>(index));
  const std::vector<std::string> names = KeyPartNames(*index);
  RC_PRE(std::all_of(names.begin(), names.end(), IsReference));
  for (int i = 0; i < kValuesPerTemplate; ++i) {
    const Source source = RandomSource();
    const VisibleCell cells[] = {{"f", "a", source.time, source.a}, {"f", "b", 1, source.b}};
    EntryList entries;
    std::vector<Unmappable> problems;
    index->Derive({source.row, cells}, &entries, &problems);
    if (entries.empty()) continue;
    std::vector<std::string> parts;
    for (const std::string& name : names) parts.push_back(source.Of(name));
    parts.resize(*rc::gen::inRange<size_t>(0, parts.size() + 1));
    const Result<KeyPrefix> key = EncodeKey(*index, parts);
    RC_ASSERT(key.ok());
    const auto reads = [&](const std::string& p) {
      return key->complete ? entries[0].row == p : entries[0].row.starts_with(p);
    };
    RC_ASSERT(std::any_of(key->prefixes.begin(), key->prefixes.end(), reads));
  }
}

}  // namespace
}  // namespace fensi::mapping
