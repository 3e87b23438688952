// docs/logs.md has the table of events as it is: FENSI_ACCEPT=1 writes it.
#include "daemon/log/events.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/support/page_section.h"

namespace fensi::daemon {
namespace {

std::string TableOfEvents() {
  std::string page = "\n| event | level | again | what it says |\n|---|---|---|---|\n";
  for (const EventRule& rule : kEvents) {
    page += "| `" + std::string(rule.name) + "` | " + std::string(kLogLevelNames.at(static_cast<size_t>(rule.level))) +
            " | " + (rule.again == Again::kHeld ? "rate-limited" : "always") + " | " + std::string(rule.meaning) +
            " |\n";
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
  for (const char* name : {"index_stopped", "command_failed", "store_directory_replaced"}) {
    EXPECT_EQ(kEvents.at(IndexOfEvent(name)).again, Again::kPaced) << name;
  }
}

TEST(EventsTest, ThePageShowsThemAsTheyAre) { testing::ExpectSection("docs/logs.md", "events", TableOfEvents()); }

}  // namespace
}  // namespace fensi::daemon
