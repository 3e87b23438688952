#include "base/cut.h"

#include <gtest/gtest.h>

#include "base/bytes.h"

namespace fensi {
namespace {

TEST(CutText, LeavesWhatFitsAndSaysOfTheRestHowMuchItWasAndWhich) {
  EXPECT_EQ(CutText("short", kLeastCut), "short");
  const std::string exact(kLeastCut, 'x');
  EXPECT_EQ(CutText(exact, kLeastCut), exact);
  // printf 'a%.0s' $(seq 1000) | sha256sum
  EXPECT_EQ(CutText(std::string(1000, 'a'), kLeastCut),
            std::string(83, 'a') + "… (1000 bytes, SHA-256 41edece42d63e8d9…)");
}

TEST(CutText, NeverExceedsItsPlaceOrCutsACharacter) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += i % 3 == 0 ? "é" : i % 3 == 1 ? "关" : "😀";
  for (size_t most = kLeastCut; most <= text.size() + 1; ++most) {
    const std::string cut = CutText(text, most);
    EXPECT_LE(cut.size(), most);
    for (size_t at = 0; at < cut.size();) {
      const size_t length = Utf8Length(std::string_view(cut).substr(at));
      ASSERT_GT(length, 0u) << "at " << at << " of " << cut;
      at += length;
    }
  }
}

TEST(CutName, ShowsAnyBytesAsEscapeDoesAndFits) {
  EXPECT_EQ(CutName(std::string("r\0", 2), 1000), "r\\x00");
  for (const size_t size : {1U, 31U, 32U, 33U, 1000U, 32'767U, 65'535U}) {
    for (const char byte : {'a', '\0', '\\', '\xff'}) {
      const std::string name(size, byte), shown = CutName(name, kLeastCut);
      EXPECT_LE(shown.size(), kLeastCut);
      EXPECT_EQ(shown == Escape(name), Escape(name).size() <= kLeastCut) << shown;
    }
  }
}

TEST(CutName, TellsNamesApartThatBeginAlike) {
  const std::string begin(40'000, 'r');
  EXPECT_NE(CutName(begin + "a", 1000), CutName(begin + "b", 1000));
}

}  // namespace
}  // namespace fensi
