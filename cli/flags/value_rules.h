// Checks the values of flags. Each function returns the error as a sentence, or empty. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace fensi::cli {

std::function<std::string(const std::string&)> WholeNumber(int64_t least, int64_t most);
std::string FaultOfSwitch(const std::string& value);
std::string FaultOfSourceUrl(const std::string& value);
std::string FaultOfStoreUrl(const std::string& value);
/// A service, or a whole principal.
std::string FaultOfServerPrincipal(const std::string& value);
std::string FaultOfPrincipal(const std::string& value);
std::string FaultOfServicePrincipal(const std::string& value);
std::string FaultOfPrincipals(const std::string& value);
/// The name of a group member, as Kafka accepts it (group.instance.id).
std::string FaultOfInstance(const std::string& value);
std::string FaultOfQop(const std::string& value);
/// "host:port", or several separated by commas.
std::string FaultOfBrokers(const std::string& value);
/// The same, also as a URL: kafka://HOST:PORT[,HOST:PORT].
std::string FaultOfKafka(const std::string& value);
std::string FaultOfDeadLetters(const std::string& value);
std::string FaultOfFormat(const std::string& value);
/// Names of Java, joined by dots.
std::string FaultOfPackage(const std::string& value);
std::string FaultOfCellForm(const std::string& value);
std::string FaultOfColor(const std::string& value);
std::string FaultOfDirection(const std::string& value);
std::string FaultOfMethod(const std::string& value);
/// Kinds of dead letters, separated by commas; and their status.
std::string FaultOfKinds(const std::string& value);
std::string FaultOfLetterState(const std::string& value);
std::string FaultOfReason(const std::string& value);
std::string FaultOfEscapedText(const std::string& value);
/// As FaultOfEscapedText; an empty value is refused.
std::string FaultOfGivenText(const std::string& value);
std::string FaultOfPosition(const std::string& value);
std::string FaultOfDistance(const std::string& value);
std::string FaultOfBox(const std::string& value);
std::string FaultOfEvent(const std::string& value);
std::string FaultOfPath(const std::string& value);
std::string FaultOfNames(const std::string& value);
std::string FaultOfZnode(const std::string& value);
std::string FaultOfPeer(const std::string& value);
std::string FaultOfHost(const std::string& value);
std::string FaultOfHosts(const std::string& value);
std::string FaultOfAdmin(const std::string& value);
std::string FaultOfDaemons(const std::string& value);
std::string FaultOfTable(const std::string& value);
std::string FaultOfTopic(const std::string& value);
/// The name of a topic, without {table}.
std::string FaultOfTopicName(const std::string& name);
/// "address:port" with numbers for both, or several separated by commas.
std::string FaultOfListeners(const std::string& value);
std::string FaultOfNetworks(const std::string& value);
std::string FaultOfLargeColumns(const std::string& value);
std::string FaultOfTables(const std::string& value);
std::string FaultOfProperties(const std::string& value);
std::string FaultOfFaultPlan(const std::string& value);
std::string FaultOfLogFormat(const std::string& value);
std::string FaultOfLogLevel(const std::string& value);

}  // namespace fensi::cli
