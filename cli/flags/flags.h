// Every flag of the program: definitions by gflags, and what gflags cannot say (placeholder, range, list).
//
// A name begins with its area and ends with its unit (kafka_session_timeout_ms). Values out of range are refused, never
// clipped. Set once before any thread starts, read-only afterwards.
#pragma once

#include <gflags/gflags_declare.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

DECLARE_string(source);
DECLARE_string(store);
DECLARE_string(index);
DECLARE_int32(workers);
DECLARE_int32(connections);
DECLARE_int32(max_queued_mb);
DECLARE_int32(state_cache_mb);
DECLARE_bool(until_end);
DECLARE_string(kafka);
DECLARE_string(kafka_property);
DECLARE_string(kafka_format);
DECLARE_int32(kafka_session_timeout_ms);
DECLARE_int32(connect_timeout_s);
DECLARE_string(dead_letters);
DECLARE_int32(partitions);
DECLARE_int32(replication);
DECLARE_bool(execute);
DECLARE_bool(json);
DECLARE_bool(raw);
DECLARE_string(prefix);
DECLARE_string(row);
DECLARE_int64(max_rows);
DECLARE_int64(max_events);
DECLARE_string(from);
DECLARE_string(fault);
DECLARE_bool(unlock_faults);
DECLARE_string(zookeeper);
DECLARE_string(znode);
DECLARE_string(hbase_znode);
DECLARE_string(peer);
DECLARE_string(listen);
DECLARE_string(announce);
DECLARE_string(allow_from);
DECLARE_int32(max_connections);
DECLARE_string(drop);
DECLARE_string(topic);
DECLARE_string(mapping);
DECLARE_bool(plan);
DECLARE_string(heartbeat_table);
DECLARE_int32(heartbeat_s);
DECLARE_int32(message_kb);
DECLARE_int32(frame_mb);
DECLARE_int32(calls_mb);
DECLARE_string(to);
DECLARE_string(event);
DECLARE_bool(print_scan);
DECLARE_bool(online);
DECLARE_int32(sample);
DECLARE_string(output);
DECLARE_bool(overwrite);

namespace fensi::cli {

struct FlagRule {
  std::string name;
  std::string placeholder;  // "URL", "N"
  bool is_switch = false;
  bool is_list = false;  // may be given several times; values are joined by commas
  /// What is wrong with a value, as a sentence without the flag's name; empty: nothing.
  std::function<std::string(const std::string&)> fault;
};

/// Null when fensi has no such flag.
const FlagRule* FindFlagRule(const std::string& name);

std::string FaultOfValue(const FlagRule& rule, const std::string& value);
std::string FlagDescription(const std::string& name);
std::string FlagDefault(const std::string& name);
/// It stood in the command line.
bool FlagIsGiven(const std::string& name);

/// "a,b,c" -> a, b, c; empty parts are left out.
std::vector<std::string> SplitList(const std::string& list);
/// --kafka_property as a map; checked when the command line was parsed.
std::map<std::string, std::string> KafkaProperties();

}  // namespace fensi::cli
