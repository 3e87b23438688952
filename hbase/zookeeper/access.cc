#include "hbase/zookeeper/access.h"

#include <openssl/evp.h>

#include "base/bytes.h"

namespace fensi::hbase {
namespace {

std::string Base64(const unsigned char* bytes, int count) {
  std::string text(static_cast<size_t>(count + 2) / 3 * 4 + 1, '\0');
  text.resize(static_cast<size_t>(EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes, count)));
  return text;
}

bool IsAnybody(const Grant& grant) { return grant.scheme == "world" && grant.id == "anyone"; }

/// As ZooKeeper's own shell writes permissions.
std::string PermissionsText(int permissions) {
  constexpr std::string_view kLetters = "rwcda";
  std::string text;
  for (size_t bit = 0; bit < kLetters.size(); ++bit) {
    if ((permissions >> bit & 1) != 0) text += kLetters[bit];
  }
  return text;
}

}  // namespace

std::string DigestId(const std::string& user_and_password) {
  unsigned char digest[EVP_MAX_MD_SIZE] = {};
  unsigned int bytes = 0;
  EVP_Digest(user_and_password.data(), user_and_password.size(), digest, &bytes, EVP_sha1(), nullptr);
  return user_and_password.substr(0, user_and_password.find(':')) + ":" + Base64(digest, static_cast<int>(bytes));
}

std::string FaultOfGrants(const std::vector<Grant>& grants, const std::string& digest_id, Sight sight) {
  int ours = 0, anybodys = 0;
  for (const Grant& grant : grants) {
    const bool us = grant.scheme == "digest" && grant.id == digest_id;
    if (us) {
      ours |= grant.permissions;
    } else if (IsAnybody(grant)) {
      anybodys |= grant.permissions;
    } else if (grant.permissions != kReadGrant) {
      // The hash behind a user's name is nobody's business.
      const std::string who = grant.scheme + ":" + grant.id.substr(0, grant.id.find(':'));
      return Escape(who) + " has " + PermissionsText(grant.permissions) + " there";
    }
  }
  if ((anybodys & ~kReadGrant) != 0) return "anybody has " + PermissionsText(anybodys) + " there";
  if (ours != kEverything) return "the user of --zookeeper_auth_file has not all permissions there";
  if (sight == Sight::kAnybodys && anybodys != kReadGrant) return "HBase cannot read it: world:anyone needs r";
  return "";
}

std::string ShellGrants(Sight sight) {
  return sight == Sight::kAnybodys ? "auth::cdrwa,world:anyone:r" : "auth::cdrwa";
}

}  // namespace fensi::hbase
