// docs/logs.md has the table of events as it is: FENSI_ACCEPT=1 writes it.
#include "cli/log/events.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace fensi::cli {
namespace {

std::string PageInTree() {
  const char* root = std::getenv("FENSI_ROOT");
  return (root == nullptr ? "." : std::string(root)) + "/docs/logs.md";
}

std::string TableOfEvents() {
  std::string page = "\n| event | level | again | what it says |\n|---|---|---|---|\n";
  for (const EventRule& rule : kEvents) {
    page += "| `" + std::string(rule.name) + "` | " + std::string(kLogLevelNames.at(static_cast<size_t>(rule.level))) +
            " | " + (rule.again == Again::kHeld ? "counted" : "told") + " | " + std::string(rule.meaning) + " |\n";
  }
  return page + "\n";
}

TEST(EventsTest, HaveANameOfTheirOwnInSnakeCaseAndAMeaning) {
  std::set<std::string_view> names;
  for (const EventRule& rule : kEvents) {
    EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
    EXPECT_EQ(rule.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string_view::npos) << rule.name;
    EXPECT_FALSE(rule.meaning.empty()) << rule.name;
  }
}

TEST(EventsTest, WhatStopsAnIndexIsNeverHeld) {
  for (const char* name : {"index_stopped", "command_failed", "store_replaced"}) {
    EXPECT_EQ(kEvents.at(IndexOfEvent(name)).again, Again::kPaced) << name;
  }
}

TEST(EventsTest, ThePageShowsThemAsTheyAre) {
  const std::string begin = "<!-- events -->\n", end = "<!-- end of events -->";
  std::ostringstream read;
  read << std::ifstream(PageInTree(), std::ios::binary).rdbuf();
  std::string text = std::move(read).str();
  const size_t from = text.find(begin), to = text.find(end);
  ASSERT_NE(from, std::string::npos);
  ASSERT_NE(to, std::string::npos);
  const size_t first = from + begin.size();
  const std::string found = text.substr(first, to - first);
  if (std::getenv("FENSI_ACCEPT") != nullptr) {
    std::ofstream(PageInTree(), std::ios::binary) << text.replace(first, found.size(), TableOfEvents());
  } else {
    EXPECT_EQ(found, TableOfEvents()) << "run this test with FENSI_ACCEPT=1 and look at the change";
  }
}

}  // namespace
}  // namespace fensi::cli
