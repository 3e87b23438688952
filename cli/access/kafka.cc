#include "cli/access/kafka.h"

#include <map>

#include "base/counted.h"
#include "base/split_list.h"
#include "cli/access/property_file.h"
#include "cli/access/secret_file.h"
#include "cli/flags/flags.h"
#include "cli/flags/secrets.h"
#include "consumer/kafka/own_properties.h"

namespace fensi::cli {
namespace {

using Properties = std::map<std::string, std::string>;

constexpr std::string_view kScheme = "kafka://";

/// Those of both places; the command line's go first.
Properties& Known() {
  static Properties properties;
  return properties;
}

/// Fetches the secrets that are told where to find.
Status FetchSecrets(Properties* properties) {
  constexpr std::string_view kCredential = "@credential:";
  for (auto& [name, value] : *properties) {
    if (!consumer::IsSecret(name) || !value.starts_with('@')) continue;
    if (!IsSecretReference(value)) {
      return Status(StatusCode::kConfiguration,
                    name + ": '@' begins a place to fetch a secret from: " + ReferencesOf(name) +
                        ". A secret that begins so itself has to stand in such a file");
    }
    const bool is_credential = value.starts_with(kCredential);
    Result<std::string> secret =
        is_credential ? ReadCredential(value.substr(kCredential.size())) : ReadSecretValue(value.substr(1));
    if (!secret.ok()) return secret.status().WithContext(name);
    value = std::move(*secret);
  }
  return Status();
}

Properties OfFlag() {
  Properties properties;
  for (const std::string& pair : SplitList(FLAGS_kafka_property)) {
    const size_t equals = pair.find('=');
    properties[pair.substr(0, equals)] = pair.substr(equals + 1);
  }
  return properties;
}

Result<Properties> OfFile() {
  const std::string& path = FLAGS_kafka_property_file;
  if (path.empty()) return Properties();
  Result<Properties> properties = ReadPropertyFile(path);
  if (!properties.ok()) return properties.status().WithContext("--kafka_property_file");
  if (const Status fetched = FetchSecrets(&*properties); !fetched.ok()) return fetched.WithContext(path);
  const Status checked = consumer::MakeConfig({"", *properties}, {}, {}).status();
  if (!checked.ok()) return Status(StatusCode::kConfiguration, path + ": " + checked.message());
  return properties;
}

/// librdkafka reads keys itself, whoever else may.
Status CheckKeyFiles(const Properties& properties) {
  for (const char* name : {"ssl.key.location", "ssl.keystore.location"}) {
    const auto place = properties.find(name);
    if (place == properties.end() || place->second.empty()) continue;
    FENSI_RETURN_IF_ERROR(ReadSecretFile(place->second).status().WithContext(name));
  }
  return Status();
}

consumer::KafkaCluster Cluster(const std::string& brokers) { return {brokers, Known()}; }

}  // namespace

Status ReadKafkaProperties() {
  Properties properties = OfFlag();
  if (const Status fetched = FetchSecrets(&properties); !fetched.ok()) return fetched.WithContext("--kafka_property");
  const Result<Properties> of_file = OfFile();
  if (!of_file.ok()) return of_file.status();
  properties.insert(of_file->begin(), of_file->end());
  FENSI_RETURN_IF_ERROR(CheckKeyFiles(properties));
  Known() = std::move(properties);
  return Status();
}

consumer::KafkaCluster SourceCluster() { return Cluster(FLAGS_source.substr(kScheme.size())); }

consumer::KafkaCluster NamedCluster() {
  return Cluster(FLAGS_kafka.starts_with(kScheme) ? FLAGS_kafka.substr(kScheme.size()) : FLAGS_kafka);
}

consumer::Format FormatOfFlag() { return consumer::FormatNamed(FLAGS_kafka_format).value(); }

std::string MembersText(const std::string& group, const consumer::GroupDescription& described) {
  return "group " + group + " has " + Counted(static_cast<int64_t>(described.members), "member") +
         ": stop its 'fensi run' first (--index leaves it out)";
}

std::string PropertyFileWords() {
  return FLAGS_kafka_property_file.empty() ? "" : " --kafka_property_file " + FLAGS_kafka_property_file;
}

}  // namespace fensi::cli
