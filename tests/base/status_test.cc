#include "base/status.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

namespace fensi {
namespace {

static_assert(sizeof(Status) == sizeof(void*));

Result<std::unique_ptr<std::string>> Find(const Status& status) {
  if (!status.ok()) return status;
  return std::make_unique<std::string>("found");
}

/// What FENSI_ASSIGN_OR_RETURN makes of a value with a comma in its type, and of one that is there already.
Result<std::string> Twice(const Status& first, const Status& second) {
  FENSI_ASSIGN_OR_RETURN(auto text, Find(first));
  FENSI_ASSIGN_OR_RETURN(text, Find(second));
  return *text + (second.ok() ? ", twice" : "");
}

TEST(StatusTest, AnOkHasNoMessageAndStaysOne) {
  const Status ok(StatusCode::kOk, "nothing");
  EXPECT_TRUE(ok.ok());
  EXPECT_EQ(ok.code(), StatusCode::kOk);
  EXPECT_EQ(ok.message(), "");
  EXPECT_EQ(ok.ToString(), "ok");
  EXPECT_TRUE(ok.WithContext("reading").ok());
  EXPECT_TRUE(ok.As(StatusCode::kGap).ok());
}

TEST(StatusTest, CopiesOutliveTheErrorThatTheyAreOf) {
  Status copy, assigned(StatusCode::kGap, "lost");
  {
    const Status error(StatusCode::kUnavailable, "gateway 127.0.0.1:9090 refused the connection");
    copy = error;
    assigned = error;
  }
  EXPECT_EQ(copy.ToString(), "unavailable: gateway 127.0.0.1:9090 refused the connection");
  const Status& itself = copy;
  copy = itself;
  EXPECT_EQ(copy.ToString(), assigned.ToString());
  copy = Status();
  EXPECT_TRUE(copy.ok());
  EXPECT_FALSE(assigned.ok());
}

TEST(StatusTest, KeepsWhatOfItMayBeLogged) {
  const Status error(StatusCode::kRejected, RedactableText("row secret", "row [hidden]"));
  const Status told = error.WithContext("index fensi").As(StatusCode::kInternal);
  EXPECT_EQ(told.ToString(), "internal: index fensi: row secret");
  EXPECT_EQ(told.words().open(), "index fensi: row [hidden]");
  EXPECT_EQ(Status(StatusCode::kRejected, "plain").words().open(), "plain");
}

TEST(StatusTest, TakesARemedyAtItsEndAndKeepsWhatOfItMayBeLogged) {
  const Status error(StatusCode::kRejected, RedactableText("row secret", "row [hidden]"));
  const Status told = error.WithSuffix(". Correct the row");
  EXPECT_EQ(told.ToString(), "rejected: row secret. Correct the row");
  EXPECT_EQ(told.words().open(), "row [hidden]. Correct the row");
  EXPECT_TRUE(Status().WithSuffix(". Correct the row").ok());
}

TEST(StatusTest, AssignOrReturnTakesTheValueOrTheError) {
  const Status gap(StatusCode::kGap, "lost");
  EXPECT_EQ(*Twice({}, {}), "found, twice");
  EXPECT_EQ(Twice(gap, {}).status().ToString(), "gap: lost");
  EXPECT_EQ(Twice({}, gap).status().code(), StatusCode::kGap);
}

}  // namespace
}  // namespace fensi
