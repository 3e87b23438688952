#include "operations/forecast/forecast.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "base/bytes.h"
#include "base/text.h"
#include "indexer/tables.h"
#include "mapping/lookup.h"
#include "operations/forecast/sample.h"

namespace fensi::operations {
namespace {

constexpr size_t kHottest = 10;
constexpr size_t kMostShown = 40;
constexpr double kMostUnmappable = 0.5;  // of the sampled rows
constexpr double kGiantShare = 0.2;      // of the entries of the sample, by one row
constexpr double kDayMillis = 86'400'000;
constexpr double kMostGrowthDays = 30;
constexpr double kLeastGrowthDays = 2;
constexpr int64_t kOldestTime = 1'104'537'600'000;  // 2005: before HBase
constexpr double kSureTimes = 0.95;                 // of the rows

class Maker {
 public:
  Maker(const mapping::Index& index, const SourceSample& sample, const Measured& measured,
        const ForecastOptions& options, int64_t now)
      : index_(index), sample_(sample), measured_(measured), options_(options), now_(now) {}

  Forecast Make() {
    Name();
    FillRows();
    FillSpread();
    FillBytes();
    FillChanges();
    FillKeys();
    FillGrowth();
    FillTimes();
    FillNotes();
    forecast_.advice = Advise(index_, sample_, measured_, forecast_);
    return std::move(forecast_);
  }

 private:
  Estimate Total(const std::vector<double>& figures, double smallest = 1) const {
    return TotalOf(sample_.population, figures, smallest);
  }

  void Name() {
    forecast_.index = index_.name();
    forecast_.source_table = index_.source_table();
    forecast_.table = index_.table() + (index_.table_is_template() ? "…" : "");
    forecast_.state_table = index_.state_table();
    forecast_.sampled_rows = sample_.rows.size();
    forecast_.regions = sample_.regions;
    forecast_.counted = sample_.counted;
    forecast_.whole_table = sample_.population.all;
  }

  void FillRows() {
    const double rows = sample_.population.rows;
    forecast_.source_rows =
        sample_.counted ? Estimate{rows, rows, rows} : Total(std::vector<double>(sample_.rows.size(), 1));
    forecast_.entries = Total(measured_.entries);
    forecast_.index_rows = IndexRows();
    forecast_.states = Total(measured_.states);
  }

  /// The sampled entries, by index row.
  std::map<std::string, std::set<size_t>> SourcesOfRows() const {
    std::map<std::string, std::set<size_t>> sources;
    for (const SampledEntry& entry : measured_.cells) sources[entry.row].insert(entry.from);
    return sources;
  }

  /// Source rows may share an index row. Those of the sample that do not may be shared in the table.
  Estimate IndexRows() const {
    const Estimate total = Total(measured_.index_rows);
    const auto sources = SourcesOfRows();
    const auto rows = static_cast<double>(sources.size());
    const auto alone = static_cast<double>(
        std::count_if(sources.begin(), sources.end(), [](const auto& row) { return row.second.size() == 1; }));
    if (alone == rows) return total;
    if (sample_.population.all) return {rows, rows, rows};
    const double sampled = std::accumulate(measured_.index_rows.begin(), measured_.index_rows.end(), 0.0);
    const double shared = rows - alone, high = total.high / sampled * alone + shared;
    return {std::min(high, std::sqrt(total.value / sampled) * alone + shared), rows, high};
  }

  /// True if index rows of a source row are beside one another in the table, or there is no more than the sample.
  bool Together() const {
    if (sample_.population.all) return true;
    double beside = 0, possible = 0;
    for (const double rows : measured_.index_rows) possible += std::max(0.0, rows - 1);
    const std::set<size_t>* last = nullptr;
    const auto sources = SourcesOfRows();
    for (const auto& [row, from] : sources) {
      if (last != nullptr && *last == from) beside += 1;
      last = &from;
    }
    return 2 * beside > possible;
  }

  /// `family`: at the value of the estimate. Rows and cells are as many more as bytes.
  static Estimate FilesOf(const Estimate& cells, const Estimate& ratio, const FamilyFiles& family) {
    const auto beside = [&](double bytes) {
      FamilyFiles scaled = family;
      for (double* figure : {&scaled.rows, &scaled.cells, &scaled.bytes}) *figure *= bytes / cells.value;
      return FileOverhead(scaled);
    };
    if (cells.value <= 0) return {0, 0, cells.high};
    return {cells.value * ratio.value + beside(cells.value).value, cells.low * ratio.low + beside(cells.low).low,
            cells.high * ratio.high + beside(cells.high).high};
  }

  void FillBytes() {
    constexpr double kFewBytes = 100;  // of a cell
    forecast_.index_bytes = Total(measured_.index_bytes, kFewBytes);
    forecast_.state_bytes = Total(measured_.state_bytes, kFewBytes);
    FillIndexFiles();
    FillStateFiles();
  }

  void FillIndexFiles() {
    const auto plan = indexer::IndexTablePlan(index_, index_.table()).table.families;
    const double sampled = std::accumulate(measured_.family_bytes.begin(), measured_.family_bytes.end(), 0.0);
    const auto used =
        std::count_if(forecast_.parts.begin(), forecast_.parts.end(), [](const Part& part) { return part.share > 0; });
    const std::vector<CompressedSize>& families = Together() ? measured_.families : measured_.families_apart;
    std::set<std::string> compressions;
    for (size_t i = 0; i < plan.size() && sampled > 0; ++i) {
      const double part = measured_.family_bytes[i] / sampled;
      if (part == 0) continue;
      const Estimate cells = forecast_.index_bytes.Times(part);
      const FamilyFiles files{.rows = std::min(forecast_.index_rows.value, part * forecast_.entries.value),
                              .cells = part * forecast_.entries.value,
                              .bytes = cells.value,
                              .files = static_cast<double>(used),
                              .bloom_filter = plan[i].bloom_filter,
                              .block_size = plan[i].block_size.value_or(store::kDefaultBlockSize)};
      forecast_.index_file_bytes =
          forecast_.index_file_bytes.Plus(FilesOf(cells, families[i].Ratio(cells.value), files));
      compressions.insert(plan[i].compression);
    }
    if (sampled == 0) forecast_.index_file_bytes = forecast_.index_bytes;
    forecast_.compression = Joined({compressions.begin(), compressions.end()});
  }

  void FillStateFiles() {
    const indexer::TablePlan plan = indexer::StateTablePlan(index_, sample_.starts);
    const store::FamilyDescriptor& family = plan.table.families.front();
    const Estimate& cells = forecast_.state_bytes;
    const FamilyFiles files{.rows = std::min(forecast_.source_rows.value, forecast_.states.value),
                            .cells = forecast_.states.value,
                            .bytes = cells.value,
                            .files = static_cast<double>(plan.split_keys.size() + 1),
                            .bloom_filter = family.bloom_filter,
                            .block_size = family.block_size.value_or(store::kDefaultBlockSize)};
    // The definition of the index is in another family.
    const FamilyFiles definition{.cells = 1, .bloom_filter = "NONE", .block_size = files.block_size};
    forecast_.state_file_bytes =
        FilesOf(cells, measured_.state_cells->Ratio(cells.value), files).Plus(FileOverhead(definition));
  }

  void FillChanges() {
    if (measured_.puts.empty()) return;
    forecast_.puts = MeanOf(measured_.puts);
    forecast_.removals = MeanOf(measured_.removals);
    forecast_.state_writes = MeanOf(measured_.state_writes);
  }

  /// Of a sample that is the whole table, the shares are those of the table.
  std::vector<mapping::KeyShare> Hottest(const mapping::KeyTally& tally) const {
    std::vector<mapping::KeyShare> shares = tally.Largest(kHottest);
    if (!sample_.population.all) return shares;
    for (mapping::KeyShare& share : shares) share.at_least = share.at_most = share.share;
    return shares;
  }

  double OthersAtMost() const {
    if (!sample_.population.all) return measured_.keys.OthersAtMost(kHottest);
    const std::vector<mapping::KeyShare> shares = measured_.keys.Largest(kHottest + 1);
    return shares.size() > kHottest ? shares.back().share : 0;
  }

  void FillKeys() {
    forecast_.hot_keys = Hottest(measured_.keys);
    forecast_.hot_rows = Hottest(measured_.rows);
    forecast_.others_at_most = OthersAtMost();
    forecast_.too_large = measured_.keys.TooLarge();
  }

  /// Each entry falls into the last part that starts at or before its row key.
  std::vector<Part> SpreadOver(const std::vector<std::string>& starts) const {
    mapping::KeyTally tally;
    for (const SampledEntry& entry : measured_.cells) {
      const auto behind = std::upper_bound(starts.begin(), starts.end(), entry.row);
      const size_t part = behind == starts.begin() ? 0 : static_cast<size_t>(behind - starts.begin()) - 1;
      tally.Add(std::to_string(part), sample_.population.drawn[entry.from].run);
    }
    std::vector<Part> parts;
    for (const std::string& start : starts) parts.push_back({.start = start, .at_most = tally.UnseenAtMost()});
    for (const mapping::KeyShare& share : tally.Largest(starts.size())) {
      Part& part = parts[std::stoul(share.key)];
      part.share = share.share;
      part.at_least = sample_.population.all ? share.share : share.at_least;
      part.at_most = sample_.population.all ? share.share : share.at_most;
    }
    return parts;
  }

  void FillSpread() {
    std::vector<std::string> starts = {""};
    const std::vector<std::string>& splits = index_.create().split_keys;
    starts.insert(starts.end(), splits.begin(), splits.end());
    forecast_.planned_splits = !splits.empty();
    forecast_.parts = SpreadOver(starts);
    const Result<mapping::KeyPrefix> front = mapping::EncodeKey(index_, {});
    if (!front.ok() || front->prefixes.size() < 2) return;
    std::vector<std::string> salts = front->prefixes;
    std::sort(salts.begin(), salts.end());
    forecast_.salts = SpreadOver(salts);
  }

  void FillGrowth() {
    double known = 0, rows = 0;
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < measured_.oldest.size(); ++i) {
      const int64_t oldest = measured_.oldest[i];
      if (oldest == INT64_MAX) continue;
      rows += 1;
      if (oldest < kOldestTime || static_cast<double>(oldest) > static_cast<double>(now_) + kDayMillis) continue;
      known += 1;
      first = std::min(first, oldest);
    }
    if (known < kSureTimes * rows || known == 0) {
      forecast_.growth_unknown = "the timestamps of the cells are no times in milliseconds";
      return;
    }
    const double span = (static_cast<double>(now_) - static_cast<double>(first)) / kDayMillis;
    if (span < kLeastGrowthDays) {
      forecast_.growth_unknown = "all sampled cells are younger than two days";
      return;
    }
    forecast_.growth_days = std::min(kMostGrowthDays, span);
    const double from = static_cast<double>(now_) - forecast_.growth_days * kDayMillis - 1;
    std::vector<double> grown = measured_.entries;
    for (size_t i = 0; i < grown.size(); ++i) {
      if (static_cast<double>(measured_.oldest[i]) < from) grown[i] = 0;
    }
    forecast_.growth_per_day = Total(grown).Times(1 / forecast_.growth_days);
  }

  void FillTimes() {
    forecast_.scan_rate_measured = options_.scan_rate <= 0 && sample_.scan_rate > 0;
    forecast_.scan_rate = options_.scan_rate > 0 ? options_.scan_rate : sample_.scan_rate;
    forecast_.write_rate = options_.write_rate;
    if (forecast_.scan_rate > 0) forecast_.scan_seconds = forecast_.source_rows.Times(1 / forecast_.scan_rate);
    if (forecast_.write_rate <= 0) return;
    std::vector<double> writes = measured_.entries;
    for (size_t i = 0; i < writes.size(); ++i) writes[i] += measured_.states[i];
    forecast_.write_seconds = Total(writes).Times(1 / forecast_.write_rate);
  }

  void FillNotes() {
    if (sample_.regions == 1 && !sample_.counted) {
      forecast_.notes.emplace_back("the source has a single region: one server has all reads of the backfill");
    }
    double all = 0;
    size_t widest = 0;
    for (size_t i = 0; i < measured_.entries.size(); ++i) {
      all += measured_.entries[i];
      if (measured_.entries[i] > measured_.entries[widest]) widest = i;
    }
    if (all == 0) {
      forecast_.notes.emplace_back("no sampled row gives an entry: check the mapping with 'fensi explain'");
    } else if (measured_.entries[widest] > kGiantShare * all && !sample_.population.all) {
      forecast_.notes.push_back("row '" + EscapeSome(sample_.rows[widest].row, kMostShown) + "' gives " +
                                std::to_string(std::lround(100 * measured_.entries[widest] / all)) +
                                " % of the sampled entries. The intervals do not hold if other rows are as large: "
                                "take a larger --sample");
    }
    if (measured_.unmappable > 0) {
      forecast_.notes.push_back(std::to_string(measured_.unmappable) + " of " +
                                Counted(static_cast<int64_t>(sample_.rows.size()), "sampled row") +
                                " cannot be mapped, for example '" + EscapeSome(measured_.unmappable_row, kMostShown) +
                                "': " + measured_.reason);
    }
    if (index_.unique()) forecast_.notes.emplace_back("source rows with equal unique keys count as several entries");
  }

  const mapping::Index& index_;
  const SourceSample& sample_;
  const Measured& measured_;
  const ForecastOptions& options_;
  const int64_t now_;
  Forecast forecast_;
};

Status RefuseUnmappable(const mapping::Index& index, const Measured& measured, size_t rows) {
  if (static_cast<double>(measured.unmappable) <= kMostUnmappable * static_cast<double>(rows)) return Status();
  return Status(
      StatusCode::kConfiguration,
      "index " + index.name() + ": " + std::to_string(measured.unmappable) + " of " +
          Counted(static_cast<int64_t>(rows), "sampled row") + " of " + index.source_table() +
          " cannot be mapped, so there is no forecast. Row '" + EscapeSome(measured.unmappable_row, kMostShown) +
          "': " + measured.reason +
          ". See the row with 'fensi explain MAPPING --row=ROW --store=URL', then correct the mapping or the row");
}

}  // namespace

Result<Forecast> MakeForecast(const std::shared_ptr<const mapping::Index>& index, store::Store* store,
                              const ForecastOptions& options, Clock* clock) {
  FENSI_ASSIGN_OR_RETURN(const SourceSample sample, SourceSampler(store, index.get(), options.sample, clock).Read());
  const int64_t now = clock->WallMillis();
  FENSI_ASSIGN_OR_RETURN(const Measured measured,
                         Measurement(index, options.sample.seed).Run(sample, now, options.changes));
  FENSI_RETURN_IF_ERROR(RefuseUnmappable(*index, measured, sample.rows.size()));
  return Maker(*index, sample, measured, options, now).Make();
}

}  // namespace fensi::operations
