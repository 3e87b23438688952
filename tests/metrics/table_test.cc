// The table of metrics keeps Prometheus' rules, and docs/metrics.md is made of it: FENSI_ACCEPT=1 writes it.
#include "metrics/table.h"

#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <sstream>
#include <string>

#include "tests/support/page_section.h"

namespace fensi::metrics {
namespace {

/// "index,reason=a|b" -> "index, reason: a b"
std::string LabelsText(std::string_view labels) {
  std::string text;
  for (const char c : labels) {
    text += c == ',' ? ", " : c == '=' ? ": " : c == '|' ? " " : std::string(1, c);
  }
  return text;
}

std::string Page() {
  std::string page = "\n| name | kind | labels | what it says |\n|---|---|---|---|\n";
  for (const Metric& metric : Table()) {
    page += "| `" + std::string(metric.name) + "` | " + std::string(TypeName(metric.type)) + " | " +
            LabelsText(metric.labels) + " | " + std::string(metric.help) + " |\n";
  }
  return page + "\n";
}

TEST(TableTest, NamesAreThoseOfPrometheus) {
  std::set<std::string_view> known;
  for (const Metric& metric : Table()) {
    EXPECT_TRUE(known.insert(metric.name).second) << metric.name << " stands there twice";
    EXPECT_TRUE(metric.name.starts_with("fensi_") || metric.name.starts_with("process_")) << metric.name;
    for (const char c : metric.name) EXPECT_TRUE(std::islower(c) || c == '_' || std::isdigit(c)) << metric.name;
    EXPECT_EQ(metric.type == Type::kCounter, metric.name.ends_with("_total")) << metric.name;
    EXPECT_FALSE(metric.help.empty()) << metric.name;
    EXPECT_EQ(FindMetric(metric.name), &metric);
  }
  EXPECT_EQ(FindMetric("fensi_events"), nullptr);
}

TEST(TableTest, LabelsAreNoRowsOrMessages) {
  const std::set<std::string> may = {"index",  "partition", "table", "version",     "revision", "librdkafka",
                                     "source", "topic",     "group", "fingerprint", "hash"};
  const std::set<std::string> of_hbase = {"server", "exception"};  // a bounded number of them
  for (const Metric& metric : Table()) {
    const bool is_of_hbase = metric.name.starts_with("fensi_hbase_");
    std::istringstream labels{std::string(metric.labels)};
    for (std::string label; std::getline(labels, label, ',');) {
      EXPECT_TRUE(may.contains(label) || (is_of_hbase && of_hbase.contains(label)) ||
                  label.find('=') != std::string::npos)
          << metric.name << ": " << label << " has no closed list of words";
    }
  }
}

TEST(TableTest, ThePageShowsTheTableAsItIs) { testing::ExpectSection("docs/metrics.md", "metrics", Page()); }

}  // namespace
}  // namespace fensi::metrics
