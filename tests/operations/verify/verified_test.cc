#include "operations/verify/verified.h"

#include <gtest/gtest.h>

#include "mapping/environment.h"
#include "meta/index_record.h"
#include "meta/versioned_meta_row.h"
#include "support/sweep_world.h"

namespace fensi::operations {
namespace {

Verified Some() {
  Verified verified{.younger = 3, .what = "both, rows 'a b' to -"};
  verified.sum.began = 1;
  verified.sum.ended = 86'400'000;
  verified.sum.rows = 30;
  verified.sum.missing = 2;
  verified.sum.undecided = 1;
  return verified;
}

TEST(Verified, ComesBackAndIsShown) {
  const std::string text = VerifiedText(Some());
  EXPECT_EQ(VerifiedOf(text)->sum, Some().sum);
  EXPECT_EQ(VerifiedOf(text)->what, "both, rows 'a b' to -");
  EXPECT_EQ(ShownVerified(text),
            "verified 1970-01-02T00:00:00.000Z: 2 differences among 30 source rows, 1 undecided, 3 younger (both, rows "
            "'a b' to -)");
}

TEST(Verified, WhatIsNoneIsNotShown) {
  for (const char* text :
       {"", "x", "1 2 3 4 5 6 7 8 9", "1 2 3 4 5 6 7 8 9 0", "1 2 3 4 5 6 7 8 9 -1 all", "1 2 3 4 5 6 7 8 x 0 all"}) {
    EXPECT_EQ(ShownVerified(text), "") << text;
  }
}

TEST(Verified, SaysOfAnIndexWhatWasFoundOfThatOneOnly) {
  sweep::SweepWorld world(sweep::FollowIndex());
  NoteVerified(world.index(), "first", world.store(), mapping::kDefaultMetaTable,
               Some());  // without a table of indexes: told on standard error
  sweep::MustBe(world.store()->CreateTable(meta::MetaTable("fensi_meta"), {}));
  const meta::IndexRecord record({world.store(), "fensi_meta", meta::IndexRow(world.index().name())});
  sweep::MustBe(record.Register({.incarnation = "first"}));
  NoteVerified(world.index(), "", world.store(), mapping::kDefaultMetaTable, Some());
  EXPECT_EQ((*record.Read())->verified, "");
  NoteVerified(world.index(), "first", world.store(), mapping::kDefaultMetaTable, Some());
  EXPECT_EQ((*record.Read())->verified, VerifiedText(Some()));
  sweep::MustBe(record.Register({.incarnation = "second"}));
  EXPECT_EQ((*record.Read())->verified, "");
}

TEST(Verified, AnOlderComparisonReplacesNoYoungerOne) {
  sweep::SweepWorld world(sweep::FollowIndex());
  sweep::MustBe(world.store()->CreateTable(meta::MetaTable("fensi_meta"), {}));
  const meta::IndexRecord record({world.store(), "fensi_meta", meta::IndexRow(world.index().name())});
  sweep::MustBe(record.Register({.incarnation = "first"}));
  Verified young = Some(), old = Some();
  young.sum.began = 200;
  old.sum.began = 100;
  old.sum.missing = 0;
  for (const Verified& verified : {old, young, old}) {
    NoteVerified(world.index(), "first", world.store(), mapping::kDefaultMetaTable, verified);
  }
  EXPECT_EQ((*record.Read())->verified, VerifiedText(young));
}

}  // namespace
}  // namespace fensi::operations
