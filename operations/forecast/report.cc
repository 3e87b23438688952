#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <span>

#include "base/bytes.h"
#include "base/text.h"
#include "operations/forecast/forecast.h"
#include "operations/json/json_line.h"

namespace fensi::operations {
namespace {

using nlohmann::ordered_json;

constexpr size_t kShownOfKey = 40;
constexpr size_t kNameWidth = 18;
constexpr size_t kShownParts = 8;
constexpr double kLevel = 0.95;

std::string Fixed(double number, int digits) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, number);
  return text.data();
}

std::string Number(double number) { return WithCommas(std::llround(std::min(number, 9e18))); }

std::string Bytes(double bytes) {
  constexpr std::array<const char*, 5> kUnits = {"bytes", "kB", "MB", "GB", "TB"};
  constexpr double kStep = 1000;
  size_t unit = 0;
  for (; bytes >= kStep && unit + 1 < kUnits.size(); ++unit) bytes /= kStep;
  return (unit == 0 ? Number(bytes) : Fixed(bytes, 1)) + " " + kUnits[unit];
}

std::string Percent(double share) { return Fixed(100 * share, 1) + " %"; }

std::string Time(double seconds) {
  constexpr double kMinute = 60, kHour = 3600, kDay = 86400, kFew = 2;
  if (seconds < kFew * kMinute) return Number(std::ceil(seconds)) + " s";
  if (seconds < kFew * kHour) return Fixed(seconds / kMinute, 1) + " min";
  return seconds < kFew * kDay ? Fixed(seconds / kHour, 1) + " h" : Fixed(seconds / kDay, 1) + " days";
}

template <typename Format>
std::string Interval(const Estimate& estimate, Format format) {
  const std::string value = format(estimate.value);
  return estimate.exact() ? value : value + " (" + format(estimate.low) + " to " + format(estimate.high) + ")";
}

std::string Small(double number) { return Fixed(number, 2); }

std::string Line(std::string name, const std::string& text) {
  name.resize(std::max(name.size() + 1, kNameWidth), ' ');
  return "  " + name + text + "\n";
}

std::string Quoted(const std::string& key) { return "'" + EscapeSome(key, kShownOfKey) + "'"; }

std::string SourceText(const Forecast& forecast) {
  const std::string rows = Interval(forecast.source_rows, Number);
  if (forecast.whole_table) return rows + ", all of them read";
  const std::string known = forecast.counted ? "counted" : "estimated";
  return rows + ", " + known + "; sampled " + Number(static_cast<double>(forecast.sampled_rows)) + " in " +
         Counted(static_cast<int64_t>(forecast.regions), "region");
}

std::string FilesText(const Estimate& cells, const Estimate& files, const std::string& compression) {
  return Interval(cells, Bytes) + "; in files with COMPRESSION " + compression + " " + Interval(files, Bytes);
}

std::string KeysText(const Forecast& forecast) {
  std::string text;
  for (const mapping::KeyShare& share : forecast.hot_keys) {
    text +=
        Line(text.empty() ? "hottest keys" : "", Quoted(share.key) + " " + Percent(share.share) + " of the entries (" +
                                                     Percent(share.at_least) + " to " + Percent(share.at_most) + ")");
  }
  if (!text.empty() && !forecast.whole_table) {
    text += Line("", "any other key: at most " + Percent(forecast.others_at_most));
  }
  if (forecast.too_large) {
    text += Line("warning", "key " + Quoted(forecast.too_large->key) +
                                " surely collects more than one entry in a "
                                "hundred: one region has their writes");
  }
  if (!forecast.hot_rows.empty() && forecast.hot_rows.front().entries > 1) {
    const mapping::KeyShare& row = forecast.hot_rows.front();
    text += Line("largest row", Quoted(row.key) + " has " + Percent(row.share) + " of the entries (" +
                                    Percent(row.at_least) + " to " + Percent(row.at_most) + ")");
  }
  return text;
}

std::string PartsText(const char* name, const std::vector<Part>& parts) {
  std::vector<Part> sorted = parts;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Part& a, const Part& b) { return a.share > b.share; });
  std::string text;
  for (size_t i = 0; i < std::min(sorted.size(), kShownParts); ++i) {
    const Part& part = sorted[i];
    text += Line(i == 0 ? name : "", "from " + Quoted(part.start) + ": " + Percent(part.share) + " of the entries (" +
                                         Percent(part.at_least) + " to " + Percent(part.at_most) + ")");
  }
  if (sorted.size() > kShownParts) {
    text += Line("", "and " + std::to_string(sorted.size() - kShownParts) + " more, each with less");
  }
  return text;
}

std::string GrowthText(const Forecast& forecast) {
  if (!forecast.growth_per_day) return "unknown: " + forecast.growth_unknown;
  return Interval(*forecast.growth_per_day, Number) + " entries, by rows of the last " +
         Counted(std::llround(forecast.growth_days), "day") + " that are new or rewritten";
}

std::string TimesText(const Forecast& forecast) {
  std::string text;
  if (forecast.scan_seconds) {
    text += Line("backfill, reads", Interval(*forecast.scan_seconds, Time) + " at " + Number(forecast.scan_rate) +
                                        " rows/s" + (forecast.scan_rate_measured ? ", measured with one thread" : ""));
  } else {
    text += Line("backfill, reads", "unknown: the table is too small to measure a rate; give --scan_rate");
  }
  if (forecast.write_seconds) {
    return text + Line("backfill, writes", Interval(*forecast.write_seconds, Time) + " at " +
                                               Number(forecast.write_rate) + " cells/s; the slower of both counts");
  }
  return text + Line("backfill, writes", "unknown: give --write_rate");
}

std::string KeysOf(const std::vector<std::string>& keys) {
  std::vector<std::string> shown;
  for (const std::string& key : keys) shown.push_back(Quoted(key));
  if (shown.size() > kShownParts) {
    const size_t more = shown.size() - kShownParts;
    shown.resize(kShownParts);
    return Joined(shown) + " and " + std::to_string(more) + " more (--format=json has all)";
  }
  return Joined(shown);
}

std::string AdviceText(const Advice& advice) {
  std::string text = Line("advice, regions", std::to_string(advice.regions) +
                                                 ", and at least one per region server that shall share the writes");
  if (!advice.split_keys.empty()) text += Line("", "split: { keys: [" + KeysOf(advice.split_keys) + "] }");
  if (advice.salt_planned) {
    text += Line("advice, salts", std::to_string(advice.salts) + " as planned, with a region for each");
  } else if (advice.growing) {
    text +=
        Line("advice, salts", std::to_string(advice.salts) +
                                  ": the newest entries are at one place of the keys, so one region has all writes");
  } else {
    text += Line("advice, salts", "none: the newest entries are not at one place of the keys");
  }
  text += Line("advice, mode", advice.mode + ": " + advice.mode_reason);
  return text + Line("advice, memory", "--memory_mb " + std::to_string(advice.memory_mb));
}

ordered_json ToJson(const Estimate& estimate) {
  return {{"value", estimate.value}, {"low", estimate.low}, {"high", estimate.high}};
}

ordered_json ToJson(const std::optional<Estimate>& estimate) { return estimate ? ToJson(*estimate) : ordered_json(); }

ordered_json ToJson(std::span<const mapping::KeyShare> shares) {
  ordered_json list = ordered_json::array();
  for (const mapping::KeyShare& share : shares) {
    list.push_back({{"key", Escape(share.key)},
                    {"sampled_entries", share.entries},
                    {"share", share.share},
                    {"low", share.at_least},
                    {"high", share.at_most}});
  }
  return list;
}

ordered_json ToJson(const std::vector<Part>& parts) {
  ordered_json list = ordered_json::array();
  for (const Part& part : parts) {
    list.push_back(
        {{"start", Escape(part.start)}, {"share", part.share}, {"low", part.at_least}, {"high", part.at_most}});
  }
  return list;
}

ordered_json ToJson(const Advice& advice) {
  ordered_json keys = ordered_json::array();
  for (const std::string& key : advice.split_keys) keys.push_back(Escape(key));
  return {{"regions", advice.regions},    {"split_keys", keys},  {"salts", advice.salts},
          {"growing", advice.growing},    {"mode", advice.mode}, {"mode_reason", advice.mode_reason},
          {"memory_mb", advice.memory_mb}};
}

}  // namespace

std::string ForecastText(const Forecast& forecast) {
  std::string text = "forecast of index " + forecast.index + ", table " + forecast.table + ", from " +
                     forecast.source_table + " (intervals of 95 %)\n";
  text += Line("source rows", SourceText(forecast));
  text += Line("entries", Interval(forecast.entries, Number));
  text += Line("index table", FilesText(forecast.index_bytes, forecast.index_file_bytes, forecast.compression));
  text += Line("states", Interval(forecast.states, Number));
  text += Line("state table",
               Interval(forecast.state_bytes, Bytes) + "; in files " + Interval(forecast.state_file_bytes, Bytes));
  if (forecast.puts) {
    text +=
        Line("writes per change", Interval(*forecast.puts, Small) + " puts, " + Interval(*forecast.removals, Small) +
                                      " removals, " + Interval(*forecast.state_writes, Small) + " of states");
  }
  text += KeysText(forecast);
  text += PartsText("planned regions", forecast.parts);
  if (!forecast.salts.empty()) text += PartsText("salts", forecast.salts);
  text += Line("growth per day", GrowthText(forecast));
  text += TimesText(forecast);
  text += AdviceText(forecast.advice);
  for (const std::string& note : forecast.notes) text += Line("note", note);
  return text;
}

std::string ForecastJson(const Forecast& forecast) {
  const ordered_json json = {
      {"index", forecast.index},
      {"source_table", forecast.source_table},
      {"table", forecast.table},
      {"state_table", forecast.state_table},
      {"confidence", kLevel},
      {"sampled_rows", forecast.sampled_rows},
      {"source_regions", forecast.regions},
      {"counted", forecast.counted},
      {"whole_table", forecast.whole_table},
      {"source_rows", ToJson(forecast.source_rows)},
      {"entries", ToJson(forecast.entries)},
      {"index_rows", ToJson(forecast.index_rows)},
      {"index_bytes", ToJson(forecast.index_bytes)},
      {"index_file_bytes", ToJson(forecast.index_file_bytes)},
      {"compression", forecast.compression},
      {"states", ToJson(forecast.states)},
      {"state_bytes", ToJson(forecast.state_bytes)},
      {"state_file_bytes", ToJson(forecast.state_file_bytes)},
      {"puts_per_change", ToJson(forecast.puts)},
      {"removals_per_change", ToJson(forecast.removals)},
      {"state_writes_per_change", ToJson(forecast.state_writes)},
      {"hot_keys", ToJson(std::span(forecast.hot_keys))},
      {"hot_rows", ToJson(std::span(forecast.hot_rows))},
      {"any_other_key_at_most", forecast.others_at_most},
      {"too_large_key", forecast.too_large ? ordered_json(Escape(forecast.too_large->key)) : ordered_json()},
      {"planned_regions", ToJson(forecast.parts)},
      {"salts", ToJson(forecast.salts)},
      {"entries_per_day", ToJson(forecast.growth_per_day)},
      {"entries_per_day_unknown", forecast.growth_unknown},
      {"scan_rate", forecast.scan_rate},
      {"scan_rate_measured", forecast.scan_rate_measured},
      {"write_rate", forecast.write_rate},
      {"scan_seconds", ToJson(forecast.scan_seconds)},
      {"write_seconds", ToJson(forecast.write_seconds)},
      {"advice", ToJson(forecast.advice)},
      {"notes", forecast.notes},
  };
  return JsonLine(json);
}

std::string ComparisonText(const Forecast& forecast, const std::vector<Compared>& compared) {
  std::string text = "forecast of index " + forecast.index + " and its tables (intervals of 95 %)\n";
  for (const Compared& one : compared) {
    const auto format = [&](double number) { return one.bytes ? Bytes(number) : Number(number); };
    const char* verdict = one.forecast.Holds(one.reality) ? "inside" : "outside";
    text += Line(one.figure,
                 "forecast " + Interval(one.forecast, format) + ", found " + format(one.reality) + ": " + verdict);
  }
  return text;
}

std::string ComparisonJson(const Forecast& forecast, const std::vector<Compared>& compared) {
  ordered_json figures = ordered_json::array();
  for (const Compared& one : compared) {
    figures.push_back({{"figure", one.figure},
                       {"forecast", ToJson(one.forecast)},
                       {"found", one.reality},
                       {"inside", one.forecast.Holds(one.reality)}});
  }
  return JsonLine({{"index", forecast.index}, {"confidence", kLevel}, {"compared", figures}});
}

}  // namespace fensi::operations
