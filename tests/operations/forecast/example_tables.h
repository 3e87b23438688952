// Source tables with random rows for mappings of deploy/examples, in a store in memory.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "mapping/mapping.h"
#include "operations/mappings/environment.h"
#include "operations/mappings/mapping_files.h"
#include "store/open_store.h"

namespace fensi::operations {

using Columns = std::map<std::string, std::string>;  // "family:qualifier" and value

struct Example {
  const char* file;  // of deploy/examples
  const char* index;
  Columns (*row)(std::mt19937_64* random, int number);
};

inline int Draw(std::mt19937_64* random, int most) {
  return static_cast<int>((*random)() % static_cast<uint64_t>(most));
}
/// Few rows have much, and most have little.
inline int DrawSkewed(std::mt19937_64* random, int most) { return Draw(random, Draw(random, most) + 1); }
inline std::string Named(const char* prefix, int number) { return prefix + std::to_string(number); }

inline std::string ListOf(std::mt19937_64* random, const char* prefix, int most, const char* between) {
  std::string list = Named(prefix, DrawSkewed(random, 100));
  const int items = DrawSkewed(random, most);
  for (int i = 0; i < items; ++i) list += between + Named(prefix, DrawSkewed(random, 100));
  return list;
}

inline Columns WideRow(std::mt19937_64* random, const char* family, const char* prefix, int most) {
  Columns columns;
  const int width = 1 + DrawSkewed(random, most);
  for (int i = 0; i < width; ++i) columns[std::string(family) + ":" + Named(prefix, Draw(random, 500))] = "1";
  return columns;
}

inline std::vector<Example> Examples() {
  return {
      {"by-province.yaml", "by-province", [](auto* random, int) { return WideRow(random, "p", "province", 20); }},
      {"followers-wide.yaml", "followers", [](auto* random, int) { return WideRow(random, "f", "user", 40); }},
      {"orders.yaml", "orders-by-seller",
       [](auto* random, int number) {
         return Columns{{"o:seller", Named("seller", DrawSkewed(random, 300))},
                        {"o:buyer", Named("buyer", Draw(random, 900))},
                        {"o:time", std::to_string(1482192000000 + Draw(random, 1'000'000'000))},
                        {"o:no", Named("no", number)}};
       }},
      {"tags.yaml", "articles-by-tag",
       [](auto* random, int number) {
         Columns columns{{"a:tags", ListOf(random, "tag", 8, ",")},
                         {"a:time", std::to_string(1482192000 + Draw(random, 1'000'000))},
                         {"a:title", "about " + std::string(static_cast<size_t>(Draw(random, 60)), 't')}};
         if (number % 5 == 0) columns["a:state"] = "draft";
         return columns;
       }},
      {"mentions.yaml", "mentions",
       [](auto* random, int) {
         return Columns{{"m:to", ListOf(random, "user", 12, ",")},
                        {"m:from", Named("user", Draw(random, 100))},
                        {"m:text", std::string(static_cast<size_t>(1 + DrawSkewed(random, 200)), 'x')}};
       }},
      {"phone.yaml", "phone",
       [](auto* random, int) {
         Columns columns{{"u:name", "somebody"}};
         if (Draw(random, 3) > 0) columns["u:phone"] = std::to_string(13000000000 + Draw(random, 100'000'000));
         return columns;
       }},
      {"recent-actions.yaml", "recent-actions",
       [](auto* random, int) {
         return Columns{{"a:user", Named("user", DrawSkewed(random, 200))},
                        {"a:time", std::to_string(1482192000000 + Draw(random, 1'000'000'000))},
                        {"a:what", Draw(random, 2) == 0 ? "view" : "a longer action than others"}};
       }},
      {"title-words.yaml", "books-by-word",
       [](auto* random, int) {
         return Columns{{"b:title", ListOf(random, "word", 15, " ")}};
       }},
  };
}

inline std::shared_ptr<const mapping::Index> IndexOf(const Example& example) {
  const std::string path = std::string(std::getenv("FENSI_ROOT")) + "/deploy/examples/" + example.file;
  auto index = LoadIndex(path, example.index, mapping::kDefaultMetaTable);
  EXPECT_TRUE(index.ok()) << path << ": " << index.status().message();
  return *index;
}

inline std::shared_ptr<const mapping::Index> IndexOf(const std::string& text) {
  mapping::Diagnostics diagnostics;
  const std::vector<mapping::Mapping> loaded = mapping::Load({{"m.yaml", text}}, &diagnostics);
  EXPECT_EQ(diagnostics.errors(), 0u) << diagnostics.Text();
  return loaded.at(0).indexes.at(0);
}

/// A table with all families of its rows, in regions that begin at `splits`.
inline void MakeTable(store::Store* store, const std::string& table, const std::vector<std::string>& splits,
                      const std::map<std::string, Columns>& rows, int64_t timestamp) {
  store::TableDescriptor descriptor{table, {}};
  std::map<std::string, bool> families;
  std::vector<store::RowMutation> puts;
  for (const auto& [row, columns] : rows) {
    store::RowMutation put{row, {}};
    for (const auto& [column, value] : columns) {
      const size_t colon = column.find(':');
      families[column.substr(0, colon)] = true;
      put.cells.push_back({.family = column.substr(0, colon),
                           .qualifier = column.substr(colon + 1),
                           .timestamp = timestamp + static_cast<int64_t>(puts.size()),
                           .value = value});
    }
    puts.push_back(std::move(put));
  }
  for (const auto& [family, known] : families) descriptor.families.push_back({.name = family});
  ASSERT_TRUE(store->CreateTable(descriptor, splits).ok());
  ASSERT_TRUE(store->Put(table, puts).ok());
}

/// Row keys are hexadecimal, in three regions.
inline std::unique_ptr<store::Store> StoreOf(const Example& example, const std::string& table, int rows) {
  std::unique_ptr<store::Store> store = store::OpenMemoryStore(SystemClock()).value();
  std::mt19937_64 random(20161220);
  std::map<std::string, Columns> all;
  for (int i = 0; i < rows; ++i) {
    char key[17];
    std::snprintf(key, sizeof key, "%016llx", static_cast<unsigned long long>(random()));
    all[key] = example.row(&random, i);
  }
  MakeTable(store.get(), table, {"4", "b"}, all, SystemClock()->WallMillis() - int64_t{10} * 86'400'000);
  return store;
}

}  // namespace fensi::operations
