#include "consumer/kafka/own_properties.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <optional>

#include "base/split_list.h"
#include "base/trimmed.h"

namespace fensi::consumer {
namespace {

// A heartbeat must have three chances in a session.
constexpr int64_t kHeartbeatsInASession = 3;
constexpr int64_t kLongestRefreshMs = 300'000;
constexpr std::string_view kUnread = "what the client says would wait in a queue that nobody reads";
constexpr std::string_view kCode = "foreign code would run in fensi";

std::optional<int64_t> WholeNumber(const std::string& text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace

const std::map<std::string_view, std::string_view>& OwnProperties() {
  constexpr std::string_view kPlace = "it has a flag or a place in the mapping file";
  constexpr std::string_view kOffsets = "offsets would move without fensi";
  constexpr std::string_view kOrder = "messages could be lost or change their order";
  constexpr std::string_view kMembers = "who owns a partition would be decided in another way";
  constexpr std::string_view kBrokers = "a moved partition or a new broker would not be found";
  constexpr std::string_view kTickets = "tickets are asked for without a shell: --kerberos_keytab";
  static const std::map<std::string_view, std::string_view> own = {
      {"acks", kOrder},
      {"allow.auto.create.topics", "a topic that is missing would be made, with settings that nobody chose"},
      {"api.version.request", "requests would be of versions that lack what fensi needs"},
      {"auto.commit.enable", kOffsets},
      {"auto.commit.interval.ms", kOffsets},
      {"auto.offset.reset", "events that are gone would be passed over in silence"},
      {"bootstrap.servers", kPlace},
      {"broker.version.fallback", "requests would be of versions that lack what fensi needs"},
      {"check.crcs", "a message that was damaged would be applied"},
      {"delivery.report.only.error", "what Kafka has would never be known to be there"},
      {"enable.auto.commit", kOffsets},
      {"enable.auto.offset.store", kOffsets},
      {"enable.gapless.guarantee", kOrder},
      {"enable.idempotence", kOrder},
      {"enabled_events", kUnread},
      {"enable.partition.eof", "the end of a log would not be seen"},
      {"group.id", kPlace},
      {"group.instance.id", kMembers},
      {"group.protocol", kMembers},
      {"group.protocol.type", kMembers},
      {"group.remote.assignor", kMembers},
      {"internal.termination.signal", "fensi would get a signal that ends it"},
      {"isolation.level", "events of aborted transactions would be applied"},
      {"log.queue", kUnread},
      {"max.poll.interval.ms", kMembers},
      {"metadata.broker.list", kPlace},
      {"metadata.max.age.ms", kBrokers},
      {"offset.store.method", kOffsets},
      {"offset.store.path", kOffsets},
      {"partition.assignment.strategy", kMembers},
      {"partitioner", "the changes of a row would lose their order"},
      {"plugin.library.paths", kCode},
      {"queuing.strategy", kOrder},
      {"queued.max.messages.kbytes", "it has a flag: --max_queued_mb"},
      {"request.required.acks", kOrder},
      {"sasl.kerberos.keytab", kTickets},
      {"sasl.kerberos.kinit.cmd", kTickets},
      {"sasl.kerberos.min.time.before.relogin", kTickets},
      {"sasl.kerberos.principal", "it has a flag: --kerberos_principal"},
      {"session.timeout.ms", "it has a flag: --kafka_session_timeout_ms"},
      {"ssl.engine.id", kCode},
      {"ssl.engine.location", kCode},
      {"statistics.interval.ms", "silence of the group's coordinator would not be noticed"},
      {"topic.blacklist", "a topic of fensi's would seem to be missing"},
      {"topic.metadata.refresh.fast.interval.ms", kBrokers},
      {"transactional.id", kOrder},
  };
  return own;
}

/// By the words that librdkafka's names have, so that those of newer versions are among them.
bool IsSecret(std::string_view name) {
  if (name == "ssl.key.pem" || name == "sasl.jaas.config") return true;
  constexpr std::string_view kWords[] = {"password", "secret", "passphrase", "private.key.pem"};
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [name](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

std::string FaultOfProperty(const std::string& name, const std::string& value, int64_t session_timeout_ms) {
  constexpr std::string_view kProviders[] = {"base", "default", "fips", "legacy", "null"};
  const std::optional<int64_t> number = WholeNumber(value);
  const std::string is = "\"" + name + "\" is ";
  if (name == "heartbeat.interval.ms" && number && *number * kHeartbeatsInASession > session_timeout_ms) {
    return is + "above a third of the session timeout of " + std::to_string(session_timeout_ms) +
           " ms: the group would give the partitions away";
  }
  if (name == "topic.metadata.refresh.interval.ms" && number && (*number < 10 || *number > kLongestRefreshMs)) {
    return is + "not between 10 and " + std::to_string(kLongestRefreshMs) +
           ": a moved partition or a new broker would not be found";
  }
  if (name == "ssl.providers") {
    for (const std::string& provider : SplitList(value)) {
      if (std::find(std::begin(kProviders), std::end(kProviders), Trimmed(provider)) != std::end(kProviders)) continue;
      return is +
             "not a list of OpenSSL's own providers (base, default, fips, legacy, null): foreign code would run in "
             "fensi";
    }
  }
  // Such as test.mock.num.brokers, by which brokers of a test would take the place of yours; newer versions have more.
  if (name.starts_with("test.") || name.starts_with("internal.")) {
    return "\"" + name + "\" is for tests of librdkafka and cannot be set";
  }
  return "";
}

}  // namespace fensi::consumer
