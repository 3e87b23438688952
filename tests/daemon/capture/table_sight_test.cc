// A capture without a store looks for its tables in ZooKeeper.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <utility>

#include "daemon/capture/own_tables.h"
#include "tests/support/matchers.h"

namespace fensi::daemon {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

/// Znodes below /hbase/table that nobody changes.
class ZooKeeperOfTables final : public hbase::ZooKeeperSession {
 public:
  explicit ZooKeeperOfTables(std::set<std::string> tables) : tables_(std::move(tables)) {}

  bool expired() const override { return false; }
  std::chrono::milliseconds timeout() const override { return std::chrono::seconds(10); }
  Result<std::optional<hbase::Znode>> Get(const std::string& path) override {
    const std::string parent = "/hbase/table/";
    const bool there = path.starts_with(parent) && tables_.contains(path.substr(parent.size()));
    return there ? std::optional(hbase::Znode()) : std::nullopt;
  }
  Result<std::vector<std::string>> Children(const std::string& path) override {
    if (path != "/hbase/table" || tables_.empty()) return Status(StatusCode::kNotFound, "no node");
    return std::vector<std::string>(tables_.begin(), tables_.end());
  }
  Status Create(const std::string&, const std::string&, const hbase::ZnodeKind&) override { return {}; }
  Status Set(const std::string&, const std::string&, int32_t) override { return {}; }
  Status Delete(const std::string&) override { return {}; }
  Result<std::vector<hbase::Grant>> Grants(const std::string&) override { return std::vector<hbase::Grant>(); }

 private:
  const std::set<std::string> tables_;
};

hbase::SessionOpener With(const std::set<std::string>& tables) {
  return [tables]() -> Result<std::unique_ptr<hbase::ZooKeeperSession>> {
    return std::unique_ptr<hbase::ZooKeeperSession>(new ZooKeeperOfTables(tables));
  };
}

TEST(UnseenTables, ThoseThatZooKeeperShowsAreNoWarning) {
  EXPECT_THAT(UnseenTables(With({"guanzhu", "ns:t"}), "/hbase", "all", {"guanzhu", "ns:t"}), IsEmpty());
}

TEST(UnseenTables, AWrongNameIsAWarningThatNamesTheTopic) {
  EXPECT_THAT(UnseenTables(With({"guanzhu"}), "/hbase", "guanzu", {"guanzu"}),
              ElementsAre(Pair("guanzu", AllOf(HasSubstr("the capture creates topic guanzu for table guanzu"),
                                               HasSubstr("znode /hbase/table lists other tables, and not this table"),
                                               HasSubstr("Check the name of the table")))));
}

TEST(UnseenTables, WithoutAMirrorInZooKeeperNothingIsCertain) {
  EXPECT_THAT(UnseenTables(With({}), "/hbase", "t", {"t"}),
              ElementsAre(Pair("t", HasSubstr("znode /hbase/table lists no tables"))));
}

TEST(UnseenTables, AZooKeeperThatDoesNotAnswerIsNamed) {
  const auto away = []() -> Result<std::unique_ptr<hbase::ZooKeeperSession>> {
    return Status(StatusCode::kUnavailable, "ZooKeeper at zk:2181 cannot be reached");
  };
  EXPECT_THAT(UnseenTables(away, "/hbase", "t", {"t"}),
              ElementsAre(Pair("t", HasSubstr("ZooKeeper at zk:2181 cannot be reached"))));
}

}  // namespace
}  // namespace fensi::daemon
