// Secrets in what flags hold. Of librdkafka's properties: which stand there themselves, and which are only told where
// to find; of a place of servers: a user and a password in front of a host, as other programs take them. Pure.
#pragma once

#include <string>
#include <string_view>

namespace fensi::cli {

/// What is shown in place of a secret.
constexpr char kHidden[] = "***";

/// "@/PATH" or "@credential:NAME": the secret stands elsewhere.
bool IsSecretReference(std::string_view value);
/// "sasl.password=@/PATH or sasl.password=@credential:NAME", for people.
std::string ReferencesOf(const std::string& property);

/// The first property of the list whose secret stands in it; empty: there is none.
std::string LiteralSecret(const std::string& properties);
/// The list with kHidden in place of every secret that stands in it, and of what a property holds that nobody knows.
std::string WithoutSecrets(const std::string& properties);

/// As in "hbase+https://anna:WORD@gateway/". In the path of a file or a folder an '@' is a letter.
bool NamesUser(std::string_view place);

}  // namespace fensi::cli
