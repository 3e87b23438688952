#include "base/tls.h"

#include <gtest/gtest.h>

#include "tests/support/authority.h"

namespace fensi {
namespace {

constexpr std::string_view kBegin = "-----BEGIN CERTIFICATE-----\n";

TEST(CertificatesIn, AreAllOfTheText) {
  const testing::Authority one("one"), other("other");
  const auto found = CertificatesIn(one.certificate() + "\nwords between them\n" + other.certificate());
  ASSERT_TRUE(found.ok()) << found.status().ToString();
  EXPECT_EQ(found->size(), 2u);
}

TEST(CertificatesIn, AreRefusedWhereOneIsBrokenOrLockedOrThereIsNone) {
  const std::string good = testing::Authority("one").certificate();
  std::string broken = good, locked = good;
  broken[kBegin.size() + 20] = '!';
  locked.insert(kBegin.size(), "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00112233445566778899AABBCCDDEEFF\n\n");
  for (const std::string& text :
       {std::string(), std::string("no PEM\n"), good + broken, good + locked, broken + good}) {
    const auto found = CertificatesIn(text);
    EXPECT_EQ(found.status().code(), StatusCode::kConfiguration) << text;
    EXPECT_FALSE(found.status().message().empty());
  }
}

TEST(FormerCertificateText, SaysUntilWhenTheFirstIsValid) {
  const std::string text = FormerCertificateText(testing::Authority("one").certificate());
  EXPECT_TRUE(text.starts_with(". The former certificate is valid until 20")) << text;
  EXPECT_TRUE(text.ends_with("Z")) << text;
  EXPECT_EQ(FormerCertificateText("no PEM\n"), "");
}

}  // namespace
}  // namespace fensi
