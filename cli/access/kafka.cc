#include "cli/access/kafka.h"

#include <map>

#include "base/split_list.h"
#include "cli/access/property_file.h"
#include "cli/flags/flags.h"

namespace fensi::cli {
namespace {

using Properties = std::map<std::string, std::string>;

constexpr std::string_view kScheme = "kafka://";

Properties& OfFile() {
  static Properties properties;
  return properties;
}

consumer::KafkaCluster Cluster(const std::string& brokers) {
  Properties properties;
  for (const std::string& pair : SplitList(FLAGS_kafka_property)) {
    const size_t equals = pair.find('=');
    properties[pair.substr(0, equals)] = pair.substr(equals + 1);
  }
  properties.insert(OfFile().begin(), OfFile().end());
  return {brokers, std::move(properties)};
}

}  // namespace

Status ReadKafkaProperties() {
  const std::string& path = FLAGS_kafka_property_file;
  if (path.empty()) return Status();
  Result<Properties> properties = ReadPropertyFile(path);
  if (!properties.ok()) return properties.status().WithContext("--kafka_property_file");
  const Status checked = consumer::MakeConfig({"", *properties}, {}, {}).status();
  if (!checked.ok()) return Status(StatusCode::kConfiguration, path + ": " + checked.message());
  OfFile() = std::move(*properties);
  return Status();
}

consumer::KafkaCluster SourceCluster() { return Cluster(FLAGS_source.substr(kScheme.size())); }

consumer::KafkaCluster NamedCluster() { return Cluster(FLAGS_kafka); }

consumer::Format FormatOfFlag() { return consumer::FormatNamed(FLAGS_kafka_format).value(); }

std::string PropertyFileWords() {
  return FLAGS_kafka_property_file.empty() ? "" : " --kafka_property_file " + FLAGS_kafka_property_file;
}

}  // namespace fensi::cli
