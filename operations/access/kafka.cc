#include "operations/access/kafka.h"

#include "base/text.h"
#include "consumer/kafka/client/client_config.h"
#include "operations/access/property_file.h"
#include "operations/access/secret_file.h"
#include "operations/access/secrets.h"

namespace fensi::operations {
namespace {

/// Fetches the secrets that are told where to find.
Status FetchSecrets(KafkaProperties* properties) {
  constexpr std::string_view kCredential = "@credential:";
  for (auto& [name, value] : *properties) {
    if (!consumer::IsSecret(name) || !value.starts_with('@')) continue;
    if (!IsSecretReference(value)) {
      return Status(StatusCode::kConfiguration,
                    name + ": the value begins with '@', and names neither a file nor a credential of systemd. Write " +
                        ReferencesOf(name) +
                        ". If the secret itself begins with '@', write the secret into a file and name that file");
    }
    const bool is_credential = value.starts_with(kCredential);
    Result<std::string> secret =
        is_credential ? ReadCredential(value.substr(kCredential.size())) : ReadSecretValue(value.substr(1));
    if (!secret.ok()) return secret.status().WithContext(name);
    value = std::move(*secret);
  }
  return Status();
}

KafkaProperties PropertiesIn(const std::string& list) {
  KafkaProperties properties;
  for (const std::string& pair : SplitList(list)) {
    const size_t equals = pair.find('=');
    properties[pair.substr(0, equals)] = pair.substr(equals + 1);
  }
  return properties;
}

Result<KafkaProperties> PropertiesOfFile(const std::string& path) {
  if (path.empty()) return KafkaProperties();
  Result<KafkaProperties> properties = ReadPropertyFile(path);
  if (!properties.ok()) return properties.status().WithContext("--kafka_property_file");
  if (const Status fetched = FetchSecrets(&*properties); !fetched.ok()) return fetched.WithContext(path);
  const Status checked = consumer::MakeConfig({"", *properties}, {}, {}).status();
  if (!checked.ok()) return checked.WithContext(path).As(StatusCode::kConfiguration);
  return properties;
}

/// librdkafka reads keys itself, whoever else may.
Status CheckKeyFiles(const KafkaProperties& properties) {
  for (const char* name : {"ssl.key.location", "ssl.keystore.location"}) {
    const auto place = properties.find(name);
    if (place == properties.end() || place->second.empty()) continue;
    FENSI_RETURN_IF_ERROR(ReadSecretFile(place->second).status().WithContext(name));
  }
  return Status();
}

}  // namespace

Result<KafkaProperties> ReadKafkaProperties(const std::string& list, const std::string& file) {
  KafkaProperties properties = PropertiesIn(list);
  if (const Status fetched = FetchSecrets(&properties); !fetched.ok()) return fetched.WithContext("--kafka_property");
  FENSI_ASSIGN_OR_RETURN(const KafkaProperties of_file, PropertiesOfFile(file));
  properties.insert(of_file.begin(), of_file.end());
  FENSI_RETURN_IF_ERROR(CheckKeyFiles(properties));
  return properties;
}

Status NoDaemonRuns(const std::string& index, const std::string& group) {
  return Status(
      StatusCode::kConfiguration,
      "index " + index + ": no daemon runs it, because group " + group +
          " has no members. Start 'fensi run' of the index, then run the same command again. To send the requests "
          "without waiting for a daemon, add --wait_s 0");
}

Status NoRequestsTopic(const std::string& topic, const std::string& brokers) {
  return Status(StatusCode::kConfiguration,
                "topic " + topic +
                    " does not exist, and daemons get requests through it. Create the topic with 'fensi create MAPPING "
                    "--store URL --kafka " +
                    brokers + " --execute', then start 'fensi run' again");
}

std::string MembersText(const std::string& group, const consumer::GroupDescription& described) {
  return "group " + group + " has " + Counted(static_cast<int64_t>(described.members), "member") +
         ": stop its 'fensi run' first. If that run has other indexes, start it again with --index and their names";
}

}  // namespace fensi::operations
