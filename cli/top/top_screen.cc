#include "cli/top/top_screen.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "base/bytes.h"
#include "base/shown_text.h"
#include "base/text.h"
#include "cli/reading/text_width.h"
#include "operations/access/position.h"

namespace fensi::cli {
namespace {

using Lines = std::vector<ScreenLine>;

struct Column {
  const char* head;
  size_t width;
  bool figure;
};

constexpr std::array<Column, 6> kIndexColumns = {{{"STATE", 11, false},
                                                  {"PARTITIONS", 10, true},
                                                  {"EVENTS/S", 9, true},
                                                  {"BEHIND", 9, true},
                                                  {"OLDEST", 9, true},
                                                  {"LETTERS", 8, true}}};
constexpr size_t kNarrowestName = 8;
constexpr size_t kWidestName = 32;
constexpr size_t kWidestSparkline = kTopSeconds;

/// A figure that does not fit must not look like a smaller one: "1,234,567,890" as "1.2G".
std::string Shortened(std::string text, size_t width) {
  if (text.size() <= width) return text;
  const size_t comma = text.find(',');
  const bool number = text.find_first_not_of("0123456789,") == std::string::npos;
  if (!number || comma == std::string::npos) return std::string(width, '#');
  constexpr std::string_view kUnits = " kMGTPE";
  const auto groups = static_cast<size_t>(std::count(text.begin(), text.end(), ','));
  text.replace(comma, 1, ".");
  return text.substr(0, comma + 2) + kUnits[std::min(groups, kUnits.size() - 1)];
}

/// Exactly so wide: clipped, or filled with blanks on the side where a figure has none.
std::string InColumn(const std::string& text, size_t width, bool figure) {
  std::string shown(BeginningOfWidth(figure ? Shortened(text, width) : text, width));
  const std::string blanks(width - TextWidth(shown), ' ');
  return figure ? blanks + shown : shown + blanks;
}

std::string AgeInTop(const std::optional<double>& age_s) {
  if (!age_s) return "?";
  constexpr int64_t kDay = 24 * 60 * 60;
  if (*age_s >= 4 * kDay) return std::to_string(static_cast<int64_t>(*age_s) / kDay) + " d";
  if (*age_s >= 10) return DurationText(static_cast<int64_t>(*age_s));
  const auto tenths = std::llround(*age_s * 10);
  return tenths == 0 ? "0 s" : std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
}

std::string RateText(const std::optional<double>& rate) { return rate ? WithCommas(std::llround(*rate)) : "?"; }

const char* SortName(TopSort sort) {
  constexpr std::array<const char*, 4> kNames = {"events behind", "oldest event", "events/s", "name"};
  return kNames[static_cast<size_t>(sort)];
}

/// What the names and the sparkline may have of the width, the columns between them being as they are.
struct Widths {
  size_t name = kNarrowestName;
  size_t sparkline = 0;
};

Widths WidthsFor(const TopFigures& figures, size_t columns) {
  size_t fixed = 1;
  for (const Column& column : kIndexColumns) fixed += 1 + column.width;
  Widths widths;
  for (const auto& [name, index] : figures.indexes()) widths.name = std::max(widths.name, TextWidth(Escape(name)));
  const size_t room = columns > fixed ? columns - fixed : 0;
  widths.name = std::min({widths.name, kWidestName, std::max(kNarrowestName, room * 2 / 3)});
  widths.sparkline = std::min(kWidestSparkline, room > widths.name ? room - widths.name : 0);
  return widths;
}

std::string IndexHead(const Widths& widths) {
  std::string text = InColumn("INDEX", widths.name, false);
  for (const Column& column : kIndexColumns) text += " " + InColumn(column.head, column.width, column.figure);
  return text + " " + InColumn("LAST 60 S", widths.sparkline, false);
}

ScreenLine IndexRow(const TopIndex& index, const Widths& widths, bool marked) {
  const operations::IndexStanding& standing = index.standing;
  const bool stream = standing.partitions > 0;
  const std::array<std::string, kIndexColumns.size()> cells = {
      index.unreachable ? "unreachable" : Escape(standing.state),
      stream ? std::to_string(standing.owned_partitions) + "/" + std::to_string(standing.partitions) : "-",
      RateText(index.per_second),
      stream ? WithCommas(standing.EventsBehind()) : "-",
      stream ? AgeInTop(standing.SecondsBehind()) : "-",
      standing.dead_letters ? WithCommas(*standing.dead_letters) : "?"};
  ScreenLine line{InColumn(Escape(standing.name), widths.name, false)};
  for (size_t i = 0; i < cells.size(); ++i) {
    line.text += " " + InColumn(cells[i], kIndexColumns[i].width, kIndexColumns[i].figure);
  }
  line.text += " " + Sparkline(index.minute, widths.sparkline);
  if (standing.Stopped()) line.style = LineStyle::kAlarm;
  if (index.unreachable) line.style = LineStyle::kDim;
  if (marked) line.style = LineStyle::kMarked;
  return line;
}

/// The part of the list in which the marked one stands.
void AddIndexes(const TopFigures& figures, const TopChoice& choice, ScreenSize size, size_t room, Lines* lines) {
  const Widths widths = WidthsFor(figures, size.columns);
  lines->push_back({IndexHead(widths), LineStyle::kHead});
  if (room < 2) return;
  const std::vector<std::string> names = Ordered(figures, choice.sort);
  const std::string marked = MarkedIndex(figures, choice);
  const auto at = static_cast<size_t>(std::find(names.begin(), names.end(), marked) - names.begin());
  const size_t first = at >= room - 1 ? at - (room - 2) : 0;
  for (size_t i = first; i < names.size() && i < first + room - 1; ++i) {
    lines->push_back(IndexRow(figures.indexes().at(names[i]), widths, names[i] == marked));
  }
}

std::string CaptureLine(const operations::CaptureStanding& capture) {
  return "capture " + capture.place + ": " + Counted(capture.connections, "connection") + ", " +
         Counted(capture.events, "event") + ", newest write " +
         (capture.newest_write > 0 ? operations::TimeText(capture.newest_write) : "not seen yet") + ", " +
         Counted(capture.alarms, "alarm") + (capture.registered ? "" : ", region servers may not find it") +
         (capture.kafka_away_since ? ", Kafka does not answer" : "");
}

void AddCaptures(const TopFigures& figures, Lines* lines) {
  for (const operations::CaptureStanding& capture : figures.captures()) {
    const bool alarm = capture.alarms > 0 || !capture.registered || capture.kafka_away_since.has_value();
    lines->push_back({CaptureLine(capture), alarm ? LineStyle::kAlarm : LineStyle::kPlain});
  }
}

void DrawRemarks(const TopIndex& index, Lines* lines) {
  for (const operations::Remark& remark : index.standing.remarks) {
    lines->push_back({Escape(remark.text) + ", at " + remark.place, LineStyle::kAlarm});
  }
}

std::string PartitionLine(const operations::PartitionBehind& partition) {
  return InColumn(std::to_string(partition.partition), 9, true) + " " +
         InColumn(WithCommas(partition.events), 12, true) + " " + InColumn(AgeInTop(partition.seconds), 10, true) +
         "  " + InColumn(partition.queue_full ? "full" : "", 6, false) + "  " + partition.place;
}

void DrawPartitions(const TopFigures& figures, const TopChoice& choice, size_t room, Lines* lines) {
  const auto found = figures.indexes().find(choice.index);
  if (found == figures.indexes().end()) {
    lines->push_back(
        {"no daemon has index " + Escape(choice.index) + " any more. Press i for all indexes", LineStyle::kAlarm});
    return;
  }
  const operations::IndexStanding& standing = found->second.standing;
  const size_t before = lines->size();
  lines->push_back({Escape(standing.name) + ": " +
                    (found->second.unreachable ? "unreachable" : Escape(standing.state)) + ", " +
                    std::to_string(standing.behind.size()) + " of the " +
                    Counted(static_cast<int64_t>(standing.owned_partitions), "partition") +
                    " owned here are behind, the oldest first"});
  DrawRemarks(found->second, lines);
  lines->push_back({"PARTITION       BEHIND     OLDEST  QUEUE   DAEMON", LineStyle::kHead});
  const size_t used = lines->size() - before;
  const size_t rows = room > used ? room - used : 0;
  const size_t all = standing.behind.size();
  const size_t first = all > rows ? std::min(choice.skipped, all - rows) : 0;
  for (size_t i = first; i < all && i < first + rows; ++i) lines->push_back({PartitionLine(standing.behind[i])});
}

Lines HelpLines() {
  Lines lines;
  for (const char* text :
       {"", "  up, down (k, j)    mark another index; move through partitions",
        "  p, Enter           the partitions of the marked index that are behind", "  i                  all indexes",
        "  s                  sort by events behind, oldest event, events/s, name", "  ?                  this help",
        "  q, Ctrl-C          end", "", "  EVENTS/S  applied in this second by all daemons that were asked",
        "  BEHIND    events in the topic that are not applied; OLDEST: for how long the oldest of them waits",
        "  LETTERS   open dead letters, events that could not be applied: fensi dead-letters list", "",
        "  Any key goes back."}) {
    lines.push_back({text});
  }
  return lines;
}

std::string Bar(const TopFigures& figures, const TopChoice& choice, const std::string& time) {
  return "fensi top  " + time + "  " + Counted(static_cast<int64_t>(figures.daemons()), "daemon") + ", " +
         Counted(static_cast<int64_t>(figures.indexes().size()), "index") + ", by " + SortName(choice.sort) +
         "  ?: help";
}

void AddLost(const TopFigures& figures, Lines* lines) {
  for (const UnreachableDaemon& unreachable : figures.unreachable()) {
    const int64_t lost_s = std::chrono::duration_cast<std::chrono::seconds>(figures.now() - unreachable.since).count();
    lines->push_back({unreachable.place + " is unreachable for " + DurationText(lost_s) + ": " + unreachable.why,
                      LineStyle::kAlarm});
  }
}

}  // namespace

std::string Sparkline(const std::deque<std::optional<double>>& values, size_t width) {
  constexpr std::array<const char*, 8> kHeights = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  if (width == 0) return "";
  const size_t each = (kTopSeconds + width - 1) / width;
  std::vector<std::optional<double>> means;  // the newest first
  for (size_t end = values.size(); end > 0 && means.size() < width; end -= std::min(each, end)) {
    double sum = 0;
    size_t known = 0;
    for (size_t i = end - std::min(each, end); i < end; ++i) {
      if (values[i]) sum += *values[i], ++known;
    }
    means.push_back(known == 0 ? std::nullopt : std::optional(sum / static_cast<double>(known)));
  }
  double most = 0;
  for (const auto& mean : means) most = std::max(most, mean.value_or(0));
  std::string text(width - means.size(), ' ');
  for (auto mean = means.rbegin(); mean != means.rend(); ++mean) {
    const double part = most > 0 ? mean->value_or(0) / most : 0;
    text += *mean ? kHeights[static_cast<size_t>(std::lround(part * 7))] : " ";
  }
  return text;
}

Lines TopScreen(const TopFigures& figures, const TopChoice& choice, const std::string& time, ScreenSize size) {
  Lines lines = {{Bar(figures, choice, time), LineStyle::kBar}};
  AddLost(figures, &lines);
  Lines below;
  if (choice.view == TopView::kIndexes && !choice.help) AddCaptures(figures, &below);
  const size_t used = lines.size() + below.size();
  const size_t room = size.rows > used ? size.rows - used : 0;
  if (choice.help) {
    for (ScreenLine& line : HelpLines()) lines.push_back(std::move(line));
  } else if (choice.view == TopView::kPartitions) {
    DrawPartitions(figures, choice, room, &lines);
  } else {
    AddIndexes(figures, choice, size, room, &lines);
  }
  lines.insert(lines.end(), below.begin(), below.end());
  lines.resize(size.rows);
  for (ScreenLine& line : lines) line.text = std::string(BeginningOfWidth(line.text, size.columns));
  return lines;
}

}  // namespace fensi::cli
