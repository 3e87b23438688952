// A reader who looks at any moment never finds an entry missing while it moves: as long as the source row has an entry
// before and after everything an attempt tells, the index shows one (M5, M7).
#include <map>
#include <set>

#include "tests/indexer/support/player.h"
#include "tests/indexer/support/properties.h"
#include "tests/indexer/support/random_history.h"
#include "tests/indexer/support/rules.h"

namespace fensi::testing {
namespace {

std::string OwnerOf(const Rule& rule, const std::pair<std::string, std::string>& cell) {
  if (rule.name == "row") return std::string(cell.first.rbegin(), cell.first.rend());
  const std::string qualifier = cell.second.substr(2);
  return qualifier.substr(0, qualifier.find('.'));
}

std::set<std::string> Owners(const Rule& rule, const Entries& entries) {
  std::set<std::string> owners;
  for (const auto& [cell, value] : entries) owners.insert(OwnerOf(rule, cell));
  return owners;
}

/// For every prefix of the stream the source rows that have an entry then.
std::vector<std::set<std::string>> OwnersByPrefix(const Rule& rule, const std::vector<ChangeEvent>& stream) {
  std::vector<std::set<std::string>> owners(1);
  for (size_t end = 1; end <= stream.size(); ++end) {
    std::map<uint64_t, const ChangeEvent*> told;  // in the order in which they happened
    for (size_t i = 0; i < end; ++i) told[stream[i].sequence_id] = &stream[i];
    SourceModel model;
    for (const auto& [sequence, event] : told) model.Apply(event->row, event->cells);
    owners.push_back(Owners(rule, Expected(rule, model)));
  }
  return owners;
}

std::string MissingMeanwhile(World* world, const History& history) {
  Player player(world, history);
  const std::vector<std::set<std::string>> owners = OwnersByPrefix(world->rule(), player.stream());
  std::string missing;
  player.on_write = [&](size_t committed, size_t attempted) {
    const std::set<std::string> shown = Owners(world->rule(), world->Actual());
    for (const std::string& row : owners[committed]) {
      bool always = true;
      for (size_t prefix = committed; prefix <= attempted; ++prefix) always &= owners[prefix].count(row) > 0;
      if (always && shown.count(row) == 0 && missing.empty()) {
        missing = "row " + row + " has no entry while the stream is between " + std::to_string(committed) + " and " +
                  std::to_string(attempted) + "; the index shows" + Text(world->Actual());
      }
    }
  };
  player.Play();
  return missing;
}

class Reader : public ::testing::TestWithParam<Rule> {};

TEST_P(Reader, NeverMissesAnEntryThatMoves) {
  World world(GetParam(), false);
  Holds(world.rule().name, [&] {
    const History history = SomeHistory({.disorder = false});
    world.Reset();
    return MissingMeanwhile(&world, history);
  });
}

INSTANTIATE_TEST_SUITE_P(Rules, Reader, ::testing::ValuesIn(AllRules()), RuleName);

}  // namespace
}  // namespace fensi::testing
