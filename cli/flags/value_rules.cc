#include "cli/flags/value_rules.h"

#include <algorithm>

#include "admin/address.h"
#include "base/bytes.h"
#include "base/hbase_limits.h"
#include "base/kerberos.h"
#include "base/text.h"
#include "capture/column_set.h"
#include "capture/peer_filter.h"
#include "consumer/codec/event_decoder.h"
#include "consumer/kafka/client/client_config.h"
#include "daemon/faults/fault_plan.h"
#include "indexer/timings.h"
#include "mapping/area.h"
#include "operations/access/secrets.h"

namespace fensi::cli {
namespace {

/// "host:port" with a name and a port that exists; IPv6 addresses stand in brackets.
std::string FaultOfAddress(const std::string& address) {
  const size_t colon = address.rfind(':');
  if (colon == std::string::npos) return "'" + address + "' has no port; write HOST:PORT";
  if (colon == 0) return "'" + address + "' has no host; write HOST:PORT";
  const std::string digits = address.substr(colon + 1);
  if (ParseWhole<uint16_t>(digits).value_or(0) == 0) return "'" + digits + "' is not a port (1 to 65535)";
  const std::string host = address.substr(0, colon);
  const bool bare_colons = host.find(':') != std::string::npos && !(host.front() == '[' && host.back() == ']');
  if (address.find_first_of(",/ \t") != std::string::npos || bare_colons) {
    return "'" + address + "' is not an address; write HOST:PORT, and [ADDRESS]:PORT for an IPv6 address";
  }
  return "";
}

/// The port may be left out; it is Thrift's then.
std::string FaultOfGateway(const std::string& address) {
  if (address.empty()) return "the host is missing; write thrift://HOST:PORT";
  const bool bare = address.find_first_of(":,/ \t") == std::string::npos || address.ends_with(']');
  return bare ? "" : FaultOfAddress(address);
}

/// Servers of a ZooKeeper and a znode, or masters alone.
std::string FaultOfCluster(const std::string& value) {
  const size_t slash = value.find('/');
  const std::string servers = value.substr(0, slash);
  if (servers.empty()) return "the host is missing; write hbase://ZOOKEEPER:2181/hbase or hbase://MASTER:16000";
  if (slash != std::string::npos && value.find_first_not_of('/', slash) == std::string::npos) {
    return "the znode of HBase is missing; write it, usually /hbase";
  }
  for (const std::string& server : SplitList(servers)) {
    const bool bare = server.find_first_of(":/ \t") == std::string::npos || server.ends_with(']');
    if (std::string fault = bare ? "" : FaultOfAddress(server); !fault.empty()) return fault;
  }
  return "";
}

/// The rest after `scheme`; null if the value has another scheme.
const char* After(const std::string& value, std::string_view scheme) {
  return value.starts_with(scheme) ? value.c_str() + scheme.size() : nullptr;
}

/// Suggests the scheme for a value that is an address without one.
std::string Meant(const std::string& scheme, const std::string& value) {
  const bool is_address =
      value.find("//") == std::string::npos && value.find('@') == std::string::npos && FaultOfBrokers(value).empty();
  return is_address ? "; did you mean " + scheme + value + "?" : "";
}

/// Limit of Kafka for the names of topics and members (its class Topic).
constexpr size_t kMostNameBytes = 249;

bool HasKafkasLetters(const std::string& name) {
  constexpr char kGood[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  return !name.empty() && name.find_first_not_of(kGood) == std::string::npos && name != "." && name != "..";
}

}  // namespace

std::function<std::string(const std::string&)> WholeNumber(int64_t least, int64_t most) {
  return [least, most](const std::string& value) -> std::string {
    const auto number = ParseWhole<int64_t>(value);
    const std::string range = most == INT64_MAX ? "at least " + std::to_string(least)
                                                : "from " + std::to_string(least) + " to " + std::to_string(most);
    if (!number) return "not a whole number; the value must be " + range;
    return *number >= least && *number <= most ? "" : "must be " + range;
  };
}

std::string FaultOfSwitch(const std::string& value) {
  return value == "true" || value == "false" ? "" : "a switch is true or false";
}

std::string FaultOfSourceUrl(const std::string& value) {
  if (const char* brokers = After(value, "kafka://")) return FaultOfBrokers(brokers);
  if (const char* path = After(value, "file:")) return *path == '\0' ? "the path is missing; write file:PATH" : "";
  return "write kafka://HOST:PORT, file:PATH or file:-" + Meant("kafka://", value);
}

std::string FaultOfStoreUrl(const std::string& value) {
  for (const char* scheme : {"hbase://", "hbases://"}) {
    if (const char* servers = After(value, scheme)) return FaultOfCluster(servers);
  }
  for (const char* scheme : {"thrift://", "thrifts://"}) {
    if (const char* address = After(value, scheme)) return FaultOfGateway(address);
  }
  if (const char* place = After(value, "thrift+https://")) {
    const std::string address = place;
    return FaultOfGateway(address.substr(0, address.find('/')));
  }
  if (const char* path = After(value, "embedded:"))
    return *path == '\0' ? "the directory is missing; write embedded:DIR" : "";
  return "write hbase://ZOOKEEPER:2181/hbase, hbase://MASTER:16000, the same with hbases://, "
         "thrift://HOST:PORT, thrifts://HOST:PORT, thrift+https://HOST:PORT/ or embedded:DIR" +
         Meant("thrift://", value);
}

std::string FaultOfPrincipal(const std::string& value) {
  constexpr size_t kMostBytes = 1000;
  if (value.size() > kMostBytes) return "a principal has at most " + std::to_string(kMostBytes) + " bytes";
  return value.empty() ? "the principal is missing; write NAME/HOST@REALM or NAME@REALM" : "";
}

namespace {

std::string FaultOfService(const std::string& value) {
  constexpr size_t kMostBytes = 200;
  const bool good = !value.empty() && value.size() <= kMostBytes && value.find_first_of("/@ \t") == std::string::npos;
  return good ? "" : "a service is the first part of a principal SERVICE/HOST@REALM, mostly hbase";
}

/// NAME/HOST@REALM, with none of the letters that Kerberos or HBase would read otherwise.
bool IsServicePrincipal(const std::string& value) {
  const size_t slash = value.find('/'), at = value.find('@');
  if (slash == std::string::npos || at == std::string::npos || slash == 0 || at < slash + 2 || at + 1 == value.size()) {
    return false;
  }
  return value.find_first_of("/@", at + 1) == std::string::npos && value.find('/', slash + 1) == std::string::npos &&
         value.find_first_of("\\ \t\"'") == std::string::npos;
}

}  // namespace

std::string FaultOfServerPrincipal(const std::string& value) {
  if (FaultOfService(value).empty()) return "";
  const bool whole =
      FaultOfPrincipal(value).empty() && IsServicePrincipal(value) && value.find('*') == std::string::npos;
  return whole ? ""
               : "write the service alone, mostly hbase, or the principal of HBase's configuration, such as "
                 "hbase/_HOST@EXAMPLE.ORG";
}

std::string FaultOfServicePrincipal(const std::string& value) {
  if (std::string fault = FaultOfPrincipal(value); !fault.empty()) return fault;
  if (value.find('*') == std::string::npos && IsServicePrincipal(value)) return "";
  return "write NAME/HOST@REALM, such as fensi/capture1.example.org@EXAMPLE.ORG";
}

std::string FaultOfPrincipals(const std::string& value) {
  if (SplitList(value).empty()) return "the principal is missing; write NAME/HOST@REALM or NAME/*@REALM";
  for (const std::string& principal : SplitList(value)) {
    if (std::string fault = FaultOfPrincipal(principal); !fault.empty()) return fault;
    const size_t star = principal.find('*');
    const bool any_host = star != std::string::npos && star > 0 && principal.compare(star - 1, 3, "/*@") == 0 &&
                          principal.find('*', star + 1) == std::string::npos;
    const bool to_be_filled = principal.find("/_HOST@") != std::string::npos;  // by HBase, in its own files
    if (!IsServicePrincipal(principal) || to_be_filled || (star != std::string::npos && !any_host)) {
      return "'" + Escape(principal) + "' is no principal of a server; write NAME/HOST@REALM or NAME/*@REALM";
    }
  }
  return "";
}

std::string FaultOfInstance(const std::string& value) {
  const bool good = value.size() <= kMostNameBytes && HasKafkasLetters(value);
  return good ? ""
              : "an instance name has 1 to " + std::to_string(kMostNameBytes) +
                    " letters, digits, '.', '_' or '-', and is neither '.' nor '..'";
}

std::string FaultOfQop(const std::string& value) { return QopNamed(value) ? "" : "write auth, auth-int or auth-conf"; }

std::string FaultOfKafka(const std::string& value) {
  const char* const brokers = After(value, "kafka://");
  return FaultOfBrokers(brokers == nullptr ? value : brokers);
}

std::string FaultOfBrokers(const std::string& value) {
  const std::vector<std::string> brokers = SplitList(value);
  if (brokers.empty()) return "the broker is missing; write HOST:PORT";
  for (const std::string& broker : brokers) {
    if (std::string fault = FaultOfAddress(broker); !fault.empty()) return fault;
  }
  return "";
}

std::string FaultOfDeadLetters(const std::string& value) {
  if (value == "kafka") return "";
  if (const char* path = After(value, "file:")) return *path == '\0' ? "the path is missing; write file:PATH" : "";
  return "write file:PATH, or kafka";
}

std::string FaultOfFormat(const std::string& value) {
  return consumer::FormatNamed(value) ? "" : "a format is event or hbase_kafka_proxy";
}

std::string FaultOfDirection(const std::string& value) {
  return value == "both" || value == "forward" || value == "reverse" ? "" : "a direction is both, forward or reverse";
}

std::string FaultOfMethod(const std::string& value) {
  return value == "lookup" || value == "digest" ? "" : "a method is lookup or digest";
}

std::string FaultOfPackage(const std::string& value) {
  constexpr size_t kMostBytes = 200;
  if (value.size() > kMostBytes) return "a package name has at most " + std::to_string(kMostBytes) + " bytes";
  std::string dotted = value + ".";  // with :: as one dot
  for (size_t at = dotted.find("::"); at != std::string::npos; at = dotted.find("::", at)) dotted.replace(at, 2, ".");
  bool begins = true;
  for (const char c : dotted) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (c == '.' ? begins : !letter && (begins || c < '0' || c > '9'))
      return "write names joined by dots, such as com.example";
    begins = c == '.';
  }
  return "";
}

std::string FaultOfCellForm(const std::string& value) {
  const bool known = value == "table" || value == "tsv" || value == "json" || value == "jsonl" || value == "shell";
  return known ? "" : "a form is table, tsv, json, jsonl or shell";
}

std::string FaultOfColor(const std::string& value) {
  return value == "auto" || value == "always" || value == "never" ? "" : "colours are auto, always or never";
}

std::string FaultOfKinds(const std::string& value) {
  const std::vector<std::string> parts = SplitList(value);
  const auto& known = indexer::kLetterKindNames;
  for (const std::string& part : parts) {
    if (part == "unknown" || std::find(known.begin(), known.end(), part) != known.end()) continue;
    return "there is no kind '" + EscapeSome(part, 40) +
           "': write undecodable, unmappable, rejected, source_required, outside_retention or unknown";
  }
  return parts.empty() ? "a kind is missing; write a kind, such as unmappable" : "";
}

std::string FaultOfLetterState(const std::string& value) {
  const bool known = value == "open" || value == "retried" || value == "discarded" || value == "all";
  return known ? "" : "a state is open, retried, discarded or all";
}

std::string FaultOfReason(const std::string& value) {
  if (value.empty()) return "a reason is missing; write why you make the change";
  if (value.size() > 1000) return "a reason has at most 1,000 bytes";
  return Escape(value) == value ? "" : "a reason is text of one line, without backslashes";
}

std::string FaultOfEscapedText(const std::string& value) {
  const Result<std::string> bytes = Unescape(value);
  return bytes.ok() ? "" : bytes.status().message();
}

std::string FaultOfGivenText(const std::string& value) {
  return value.empty() ? "the value is empty; write a value" : FaultOfEscapedText(value);
}

namespace {

/// Without the name of the flag, which is in front of every fault.
std::string FaultOf(const Result<mapping::Area>& area) {
  const std::string& message = area.status().message();
  return area.ok() ? "" : message.substr(message.find(": ") + 2);
}

}  // namespace

std::string FaultOfPosition(const std::string& value) { return FaultOf(mapping::Area::Near(value, "1m")); }

std::string FaultOfDistance(const std::string& value) { return FaultOf(mapping::Area::Near("0,0", value)); }

std::string FaultOfBox(const std::string& value) { return FaultOf(mapping::Area::Box(value)); }

std::string FaultOfEvent(const std::string& value) {
  return value.empty() ? "the event is missing; write one event as JSON ('fensi help events')" : "";
}

std::string FaultOfPath(const std::string& value) { return value.empty() ? "the path is missing" : ""; }

std::string FaultOfNames(const std::string& value) { return SplitList(value).empty() ? "the name is missing" : ""; }

std::string FaultOfZnode(const std::string& value) {
  const bool path = value.size() > 1 && value.front() == '/' && value.back() != '/' &&
                    value.find_first_of(": \t") == std::string::npos && value.find("//") == std::string::npos;
  if (!path) return "write a znode as /NAME or /NAME/NAME";
  if ((value + "/").starts_with("/zookeeper/"))
    return "/zookeeper is ZooKeeper's own znode; write another znode, such as /fensi";
  for (const char* dots : {"/./", "/../"}) {
    if ((value + "/").find(dots) != std::string::npos) return "write a znode without '.' and '..'";
  }
  return "";
}

std::string FaultOfPeer(const std::string& value) {
  constexpr size_t kMostBytes = 200;
  if (value.size() > kMostBytes) return "write a name of at most " + std::to_string(kMostBytes) + " bytes";
  const bool good = !value.empty() && value.find_first_of("-/'\" \t") == std::string::npos;
  return good ? "" : "a peer's name must not contain dashes, slashes, quotes or spaces";
}

std::string FaultOfHost(const std::string& value) {
  constexpr size_t kMostBytes = 253;  // of a name in DNS
  const bool good = !value.empty() && value.size() <= kMostBytes && value.find_first_of(":,/ \t") == std::string::npos;
  return good ? "" : "'" + value + "' is not a host name; write a name or an address without a port";
}

std::string FaultOfHosts(const std::string& value) {
  if (SplitList(value).empty()) return "the name is missing";
  for (const std::string& host : SplitList(value)) {
    if (std::string fault = FaultOfHost(host); !fault.empty()) return fault;
  }
  return "";
}

std::string FaultOfAdmin(const std::string& value) { return admin::ParseAddress(value).status().message(); }

std::string FaultOfDaemons(const std::string& value) {
  const std::vector<std::string> places = SplitList(value);
  if (places.empty()) return "the place is missing; write ADDRESS:PORT or unix:PATH";
  for (const std::string& place : places) {
    const Result<admin::Address> address = admin::ParseAddress(place);
    if (!address.ok()) return "'" + place + "': " + address.status().message();
    const bool tcp = address->kind == admin::Address::Kind::kTcp;
    if (address->kind == admin::Address::Kind::kNone || (tcp && address->port == 0)) {
      return "no daemon can be reached at '" + place + "'; write ADDRESS:PORT or unix:PATH";
    }
  }
  return "";
}

std::string FaultOfTable(const std::string& value) { return ParseTableName(value).status().message(); }

std::string FaultOfTopic(const std::string& value) {
  std::string name = value;
  if (const size_t place = name.find("{table}"); place != std::string::npos) name.replace(place, 7, "t");
  const std::string fault = FaultOfTopicName(name);
  return fault.empty() || name == value ? fault : fault + "; {table} stands for the table's name";
}

std::string FaultOfTopicName(const std::string& name) {
  const std::string shown = "'" + Escape(name) + "'";
  if (name.size() > kMostNameBytes) {
    return shown + " is too long for a topic's name: it has " + std::to_string(name.size()) + " bytes, the limit is " +
           std::to_string(kMostNameBytes) + "; choose a shorter topic name";
  }
  return HasKafkasLetters(name) ? "" : shown + " is no topic's name: use letters, digits, '.', '_' and '-'";
}

std::string FaultOfListeners(const std::string& value) {
  const std::vector<std::string> addresses = SplitList(value);
  if (addresses.empty()) return "the address is missing; write ADDRESS:PORT";
  for (const std::string& address : addresses) {
    const Result<admin::Address> parsed = admin::ParseAddress(address);
    if (parsed.ok() && parsed->kind == admin::Address::Kind::kTcp) continue;
    return "'" + address +
           "' is not an address of this machine in numbers and a port; write ADDRESS:PORT, such as 0.0.0.0:16100, or "
           "[::]:16100 for IPv6; port 0 is any free port";
  }
  return "";
}

std::string FaultOfNetworks(const std::string& value) {
  if (SplitList(value).empty()) return "the network is missing; write ADDRESS/BITS";
  return capture::PeerFilter::Parse(SplitList(value)).status().message();
}

std::string FaultOfLargeColumns(const std::string& value) {
  if (SplitList(value).empty()) return "the column is missing; write TABLE/FAMILY:QUALIFIER";
  return capture::ColumnSet::Parse(SplitList(value)).status().message();
}

std::string FaultOfTables(const std::string& value) {
  if (SplitList(value).empty()) return "the table is missing";
  for (const std::string& table : SplitList(value)) {
    if (std::string fault = FaultOfTable(table); !fault.empty()) return fault;
  }
  return "";
}

std::string FaultOfProperties(const std::string& value) {
  constexpr char kNoPair[] = " is not KEY=VALUE (a comma inside a value is written \\,)";
  const std::vector<std::string> pairs = SplitList(value);
  std::string before;           // the name in front, whose value a comma may have cut
  bool is_of_a_secret = false;  // what comes may be a piece of it, and is not shown
  for (const std::string& pair : pairs) {
    const size_t equals = pair.find('=');
    const std::string name = pair.substr(0, equals);
    const bool is_pair = equals != std::string::npos && equals != 0;
    if (!is_pair || (is_of_a_secret && !consumer::IsProperty(name))) {
      return (before.empty() ? "the setting" : "what follows " + before) + kNoPair;
    }
    if (consumer::IsSecret(name) && pair.substr(equals + 1) == operations::kHidden) {
      return name + " is " + operations::kHidden + ", which stands for a secret that was not printed; write " +
             operations::ReferencesOf(name);
    }
    // An unknown name may be that of a secret, misspelt.
    is_of_a_secret = is_of_a_secret || consumer::IsSecret(name) || !consumer::IsProperty(name);
    before = name;
  }
  return pairs.empty() ? "the setting is missing; write KEY=VALUE" : "";
}

std::string FaultOfFaultPlan(const std::string& value) {
  if (value.empty()) return "the fault is missing";
  const auto plan = daemon::FaultPlan::Parse(value);
  return plan.ok() ? "" : plan.status().message();
}

std::string FaultOfLogFormat(const std::string& value) {
  return value == "text" || value == "json" ? "" : "a log is written as text or json";
}

std::string FaultOfLogLevel(const std::string& value) {
  const bool known = value == "debug" || value == "info" || value == "warning" || value == "error";
  return known ? "" : "a level of the log is debug, info, warning or error";
}

}  // namespace fensi::cli
