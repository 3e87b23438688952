// Reports of `fensi verify` as a repair takes them: whole ones of this index, and nothing else.
#include "operations/repair/report_targets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "base/bytes.h"
#include "operations/verify/report.h"
#include "repair_world.h"
#include "tests/consumer/scratch_file.h"
#include "tests/mapping/mapping_testing.h"
#include "tests/support/matchers.h"

namespace fensi::operations {
namespace {

using sweep::Finding;

constexpr char kBorn[] = "0123456789abcdef";

class Reports : public ::testing::Test {
 protected:
  Reports() : index_(sweep::FollowIndex()) {}

  /// As `fensi verify` writes it.
  std::string Written(const std::vector<Finding>& findings) {
    const consumer::ScratchFile file("");
    Result<ReportFile> out = ReportFile::Open(file.path(), true);
    VerifyReport report(index_.get(), std::move(*out), false, SystemClock());
    sweep::Counts counts;
    EXPECT_TRUE(report.Begin({}, {kBorn}).ok());
    for (const Finding& finding : findings) EXPECT_TRUE(report.Add(finding).ok());
    EXPECT_TRUE(report.End(counts, Status()).ok());
    return file.content();
  }

  static Finding Orphan(const std::string& source_row, const std::string& row, const std::string& qualifier) {
    Finding finding;
    finding.kind = Finding::Kind::kOrphan;
    finding.source.row = source_row;
    finding.cell = {"x_table", row, "f1", qualifier};
    finding.timestamp = 5;
    return finding;
  }

  /// The targets, or why there are none.
  Result<std::vector<Target>> Read(const std::string& text, bool partial = false, const std::string& born = kBorn) {
    const consumer::ScratchFile file(text);
    const auto report = ReportTargets::Open(file.path(), {index_.get(), born, partial});
    FENSI_RETURN_IF_ERROR(report.status());
    std::vector<Target> targets;
    FENSI_RETURN_IF_ERROR((*report)->ForEach([&](const Target& target) {
      targets.push_back(target);
      return Status();
    }));
    return targets;
  }

  std::string Refusal(const std::string& text, bool partial = false) {
    const auto read = Read(text, partial);
    EXPECT_EQ(read.status().code(), StatusCode::kConfiguration) << text;
    return read.status().message();
  }

  std::shared_ptr<const mapping::Index> index_;
};

TEST_F(Reports, AreOfAWholeTableIfAllOfItWasComparedAndNamed) {
  const store::TableIdentity table{200, 190};
  const auto whole = [&](const std::function<void(sweep::CompareOptions*, sweep::Counts*)>& change, bool named = true) {
    const consumer::ScratchFile file("");
    Result<ReportFile> out = ReportFile::Open(file.path(), true);
    VerifyReport report(index_.get(), std::move(*out), false, SystemClock());
    sweep::CompareOptions options;
    sweep::Counts counts;
    change(&options, &counts);
    EXPECT_TRUE(report.Begin(options, {kBorn, named ? std::optional(table) : std::nullopt}).ok());
    EXPECT_TRUE(report.Add(Orphan("a", "b", "q")).ok());
    EXPECT_TRUE(report.End(counts, Status()).ok());
    const auto targets = ReportTargets::Open(file.path(), {index_.get(), kBorn, false});
    return targets.ok() ? (*targets)->whole_table() : std::nullopt;
  };
  EXPECT_EQ(whole([](auto*, auto*) {}), table);
  EXPECT_EQ(whole([](auto*, auto*) {}, false), std::nullopt);
  EXPECT_EQ(whole([](auto* options, auto*) { options->start_row = "a"; }), std::nullopt);
  EXPECT_EQ(whole([](auto* options, auto*) { options->stop_row = "a"; }), std::nullopt);
  EXPECT_EQ(whole([](auto* options, auto*) { options->walk.sample = 3; }), std::nullopt);
  EXPECT_EQ(whole([](auto* options, auto*) { options->as_of = 5; }), std::nullopt);
  EXPECT_EQ(whole([](auto* options, auto*) { options->backward = false; }), std::nullopt);
  EXPECT_EQ(whole([](auto* options, auto*) { options->forward = false; }), std::nullopt);
  EXPECT_EQ(whole([](auto*, auto* counts) { counts->unattributed = 1; }), std::nullopt);
}

TEST_F(Reports, TellRowsAndCellsByteForByte) {
  std::string odd;
  for (int byte = 0; byte < 256; ++byte) odd += static_cast<char>(byte);
  const auto targets = Read(Written({Orphan(odd, odd + "k", odd + "q"), Orphan("", "粉\n\"", "a:b\\x00")}));
  ASSERT_TRUE(targets.ok()) << targets.status().message();
  ASSERT_THAT(*targets, SizeIs(2));
  EXPECT_EQ((*targets)[0].unit.row, odd);
  EXPECT_EQ((*targets)[0].cell->row, odd + "k");
  EXPECT_EQ((*targets)[0].cell->qualifier, odd + "q");
  EXPECT_EQ((*targets)[1].unit.row, "");
  EXPECT_EQ((*targets)[1].cell->row, "粉\n\"");
  EXPECT_EQ((*targets)[1].cell->qualifier, "a:b\\x00");
}

TEST_F(Reports, CutAtAnyByteAreRefusedUnlessAPartIsEnough) {
  const std::string whole = Written({Orphan("a", "m", "a"), Orphan("b", "m", "b")});
  const size_t first = whole.find('\n') + 1;
  for (size_t bytes = 0; bytes + 1 < whole.size(); ++bytes) {
    const std::string part = whole.substr(0, bytes);
    EXPECT_THAT(Refusal(part), HasSubstr("fensi")) << bytes;
    const auto read = Read(part, true);
    EXPECT_EQ(read.ok(), bytes + 1 >= first) << bytes << read.status().message();
    if (!read.ok()) continue;
    const auto lines = static_cast<size_t>(std::count(part.begin(), part.end(), '\n'));
    EXPECT_LE(read->size(), lines) << bytes;
    EXPECT_GE(read->size() + 1, std::min<size_t>(lines, 3)) << bytes;
  }
}

TEST_F(Reports, OfAnotherIndexOrIncarnationAreRefused) {
  const std::string whole = Written({});
  EXPECT_THAT(Read(whole, false, "fedcba9876543210").status().message(),
              HasSubstr("of incarnation '0123456789abcdef'"));
  std::string other = whole;
  other.replace(other.find("\"x\""), 3, "\"y\"");
  EXPECT_THAT(Refusal(other), HasSubstr(":1: the report is of index 'y', and the mapping file has 'x'"));
  std::string nameless = whole;
  nameless.erase(nameless.find("\"incarnation\""), std::string("\"incarnation\":\"0123456789abcdef\",").size());
  EXPECT_THAT(Refusal(nameless), HasSubstr("of incarnation ''"));
}

TEST_F(Reports, ThatDidNotComeToTheirEndAreRefused) {
  std::string whole = Written({});
  whole.replace(whole.find("true"), 4, "false");
  EXPECT_THAT(Refusal(whole), HasSubstr("the report is not whole"));
  EXPECT_TRUE(Read(whole, true).ok());
}

TEST_F(Reports, WithABrokenLineNameIt) {
  const std::string whole = Written({Orphan("a", "m", "a")});
  const std::string begin = whole.substr(0, whole.find('\n') + 1);
  const std::string rest = whole.substr(begin.size());
  const std::pair<std::string, std::string> lines[] = {
      {"x", "is no JSON object"},
      {"[]", "is no JSON object"},
      {"{}", "invalid \"kind\""},
      {"{\"kind\":1}", "\"kind\" is no text"},
      {"{\"kind\":\"missing\"}", "\"source_row\" is missing"},
      {R"({"kind":"orphan","source_row":"\\xZZ"})", "\"source_row\""},
      {R"({"kind":"orphan","table":"x_table","row":"","column":"f1:a"})", "\"row\" must have 1 to"},
      {R"({"kind":"orphan","table":"x_table","row":"m","column":"f1"})", "\"column\" is not family:qualifier"},
      {R"({"kind":"orphan","table":"x_table","row":"m","column":"g:a"})", "family g is not a family of index"},
      {R"({"kind":"orphan","table":"t","row":"m","column":"f1:a"})", "table t is not a table of index"},
      {R"({"kind":"missing","source_row":"a","source_column":"f1:from","table":"x_table","row":"m","column":"f1:a"})",
       "\"source_column\" is not a column that the index watches"},
      {begin.substr(0, begin.size() - 1), "invalid \"kind\""}};
  for (const auto& [line, says] : lines) {
    for (const bool partial : {false, true}) {
      const std::string refusal = Refusal(begin + line + "\n" + rest, partial);
      EXPECT_THAT(refusal, HasSubstr(":2: "));
      EXPECT_THAT(refusal, HasSubstr(says));
    }
  }
  EXPECT_THAT(Refusal(whole + whole), HasSubstr(":4: the line is after the summary"));
  EXPECT_THAT(Refusal("", true), HasSubstr("not a whole report"));
}

/// As many findings as a report may have.
class ManyTargets final : public TargetList {
 public:
  Status ForEach(const Use& use) override {
    for (int i = 0; i < 500'000; ++i) {
      const std::string row = "row" + std::to_string(i % 400'000);
      FENSI_RETURN_IF_ERROR(use({{row, {}}, sweep::IndexCell{"t", row, "f", "q"}}));
      FENSI_RETURN_IF_ERROR(use({{}, sweep::IndexCell{"t", row, "f", "q"}}));
    }
    return Status();
  }
};

TEST(TargetBatches, AreBoundedAndHoldEachUnitOnce) {
  ManyTargets targets;
  size_t units = 0, largest = 0;
  const Status done = ForEachBatch(&targets, [&](std::span<const sweep::RepairTarget> batch) {
    std::set<std::string> rows;
    for (const sweep::RepairTarget& named : batch) {
      rows.insert(named.unit.row);
      EXPECT_THAT(named.cells, SizeIs(1));
    }
    EXPECT_EQ(rows.size(), batch.size());
    units += batch.size(), largest = std::max(largest, batch.size());
    return Status();
  });
  ASSERT_TRUE(done.ok());
  EXPECT_GE(units, 400'000u);
  EXPECT_LE(units, 500'000u);
  EXPECT_LE(largest, 210'000u);
}

}  // namespace
}  // namespace fensi::operations
