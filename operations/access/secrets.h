// Finds secrets in the values of flags: literal secrets and references in librdkafka's properties, and a user and
// password before the host in an address. Pure.
#pragma once

#include <string>
#include <string_view>

namespace fensi::operations {

/// Replaces a secret in messages.
constexpr char kHidden[] = "***";

/// "@/PATH" or "@credential:NAME": a reference to a secret.
bool IsSecretReference(std::string_view value);
/// "sasl.password=@/PATH or sasl.password=@credential:NAME", for people.
std::string ReferencesOf(const std::string& property);

/// The first property of the list that holds a literal secret; empty: none.
std::string LiteralSecret(const std::string& properties);
/// The list with kHidden in place of every literal secret, and of the value of every unknown property.
std::string WithoutSecrets(const std::string& properties);

/// True for "thrift+https://anna:WORD@gateway/". In the path of a file or a folder an '@' is a letter.
bool NamesUser(std::string_view place);

}  // namespace fensi::operations
