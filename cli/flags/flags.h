// Every flag of the program: definitions by gflags, and what gflags cannot say (placeholder, range, list).
//
// A name begins with its area and ends with its unit (kafka_session_timeout_ms). Values out of range are refused, never
// clipped. Set before any thread starts; afterwards only those that a reload may change (cli/reload), by the thread
// that reloads, and read by that thread alone.
#pragma once

#include <gflags/gflags_declare.h>

#include <functional>
#include <string>
#include <vector>

DECLARE_string(source);
DECLARE_bool(follow);
DECLARE_bool(source_rows);
DECLARE_bool(watch);
DECLARE_bool(wait);
DECLARE_int32(interval_s);
DECLARE_bool(no_pager);
DECLARE_string(csv_row);
DECLARE_string(csv_time);
DECLARE_string(csv_family);
DECLARE_string(store);
DECLARE_string(store_kerberos_service);
DECLARE_string(store_qop);
DECLARE_string(store_tls_ca_file);
DECLARE_string(store_tls_cert_file);
DECLARE_string(store_tls_key_file);
DECLARE_string(kerberos_keytab);
DECLARE_string(instance);
DECLARE_string(kerberos_principal);
DECLARE_string(meta_table);
DECLARE_string(index);
DECLARE_int32(workers);
DECLARE_int32(connections);
DECLARE_int32(memory_mb);
DECLARE_int32(max_queued_mb);
DECLARE_int32(state_cache_mb);
DECLARE_bool(until_end);
DECLARE_string(kafka);
DECLARE_string(kafka_property);
DECLARE_string(kafka_property_file);
DECLARE_string(kafka_format);
DECLARE_int32(kafka_session_timeout_ms);
DECLARE_int32(connect_timeout_s);
DECLARE_string(dead_letters);
DECLARE_string(admin);
DECLARE_string(admin_host);
DECLARE_string(daemon);
DECLARE_int32(max_lag_s);
DECLARE_string(admin_token_file);
DECLARE_bool(admin_control);
DECLARE_int32(metrics_partitions);
DECLARE_string(admin_tls_cert_file);
DECLARE_string(admin_tls_key_file);
DECLARE_string(daemon_ca_file);
DECLARE_int32(partitions);
DECLARE_int32(replication);
DECLARE_bool(execute);
DECLARE_bool(json);
DECLARE_string(color);
DECLARE_bool(each);
DECLARE_string(format);
DECLARE_bool(count);
DECLARE_int64(max_cells);
DECLARE_bool(bytes);
DECLARE_bool(raw);
DECLARE_string(prefix);
DECLARE_string(row);
DECLARE_int64(max_rows);
DECLARE_int64(max_events);
DECLARE_int64(last);
DECLARE_int32(partition);
DECLARE_string(from);
DECLARE_string(fault);
DECLARE_bool(unlock_faults);
DECLARE_string(zookeeper);
DECLARE_string(zookeeper_auth_file);
DECLARE_string(znode);
DECLARE_string(hbase_znode);
DECLARE_string(peer);
DECLARE_string(listen);
DECLARE_string(announce);
DECLARE_string(tls_cert_file);
DECLARE_string(tls_key_file);
DECLARE_string(tls_ca_file);
DECLARE_string(rpc_keytab);
DECLARE_string(rpc_principal);
DECLARE_string(rpc_qop);
DECLARE_string(allow_principal);
DECLARE_string(allow_from);
DECLARE_int32(max_connections);
DECLARE_string(drop);
DECLARE_string(may_be_large);
DECLARE_string(topic);
DECLARE_string(mapping);
DECLARE_bool(plan);
DECLARE_string(heartbeat_table);
DECLARE_int32(heartbeat_s);
DECLARE_int32(mark_ms);
DECLARE_int32(clock_skew_ms);
DECLARE_string(until);
DECLARE_int32(timeout_s);
DECLARE_string(since);
DECLARE_string(kind);
DECLARE_string(state);
DECLARE_bool(letters);
DECLARE_bool(rows);
DECLARE_bool(all);
DECLARE_bool(force);
DECLARE_string(reason);
DECLARE_int64(max);
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
DECLARE_string(direction);
DECLARE_string(method);
DECLARE_string(start_row);
DECLARE_string(stop_row);
DECLARE_string(as_of);
DECLARE_bool(job);
DECLARE_int32(recheck_s);
DECLARE_int64(max_suspects);
DECLARE_int64(rows_per_second);
DECLARE_string(report);
DECLARE_string(flagfile);
DECLARE_bool(print_flags);
DECLARE_int64(bytes_per_second);
DECLARE_int64(ahead_rows);
DECLARE_bool(unproven);
DECLARE_bool(again);
DECLARE_bool(pause);
DECLARE_bool(resume);
DECLARE_bool(cancel);
DECLARE_string(from_report);
DECLARE_bool(partial_report);
DECLARE_bool(direct);
DECLARE_bool(back);
DECLARE_bool(remove);
DECLARE_bool(expired);
DECLARE_bool(unverified);
DECLARE_int32(wait_s);
DECLARE_int32(begin_wait_s);
DECLARE_int64(scrub_rows_per_second);
DECLARE_bool(drop_expired);
DECLARE_bool(scrub_repair);
DECLARE_string(log_format);
DECLARE_string(log_level);
DECLARE_int32(log_window_s);
DECLARE_bool(log_rows);

namespace fensi::cli {

struct FlagRule {
  std::string name;
  std::string placeholder;  // "URL", "N"
  bool is_switch = false;
  bool is_list = false;           // may be given several times; values are joined by commas
  bool must_be_typed = false;     // turns a plan into the deed: no variable and no file says it for many commands
  bool may_hold_secrets = false;  // properties (cli/flags/secrets.h); its values are not shown, not even wrong ones
  bool is_place = false;          // of servers: no user stands in front of a host
  std::string description;        // of a flag that gflags knows by another; empty: gflags' own
  /// What is wrong with a value, as a sentence without the flag's name; empty: nothing.
  std::function<std::string(const std::string&)> fault;
};

/// Null when fensi has no such flag.
const FlagRule* FindFlagRule(const std::string& name);

std::string FaultOfValue(const FlagRule& rule, const std::string& value);
std::string FlagDescription(const std::string& name);
std::string FlagDefault(const std::string& name);
std::string FlagValue(const std::string& name);
/// Somebody set it, in whatever place.
bool FlagIsGiven(const std::string& name);
/// It stood in the command line: the environment and flag files are for many commands, so what a command does not take
/// is refused only here.
bool FlagIsTyped(const std::string& name);
/// Sets a flag to a value that FaultOfValue finds good.
void SetFlag(const std::string& name, const std::string& value, bool typed);

}  // namespace fensi::cli
