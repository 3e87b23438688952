#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/bytes.h"
#include "base/text.h"
#include "operations/access/stores.h"
#include "operations/forecast/estimate.h"
#include "operations/forecast/sample.h"
#include "sweep/scan/page_reader.h"
#include "sweep/scan/source_unit.h"

namespace fensi::operations {
namespace {

constexpr size_t kRowsOfRun = 5;
constexpr size_t kDrawnBytes = 6;   // of a key, after what the keys of a region share
constexpr size_t kMostPlaces = 24;  // bytes of the last key that are looked for
constexpr size_t kMostOfKey = 40;
constexpr int kTriesOfRun = 12;
constexpr size_t kTimedRows = 5000;
constexpr double kLeastSeconds = 0.02;  // of a scan whose rate says something

/// Keeps an even sample of a stream of rows.
class Reservoir {
 public:
  Reservoir(size_t most, std::mt19937_64* random) : most_(most), random_(random) {}

  void Add(const std::string& key) {
    ++seen_;
    if (kept_.size() < most_) {
      kept_.push_back(key);
      return;
    }
    const uint64_t at = std::uniform_int_distribution<uint64_t>(0, seen_ - 1)(*random_);
    if (at < most_) kept_[at] = key;
  }
  uint64_t seen() const { return seen_; }
  std::vector<std::string> Sorted() const {
    std::vector<std::string> keys = kept_;
    std::sort(keys.begin(), keys.end());
    return keys;
  }

 private:
  const size_t most_;
  std::mt19937_64* const random_;
  std::vector<std::string> kept_;
  uint64_t seen_ = 0;
};

}  // namespace

Status SourceSampler::NoRows() const {
  return Status(StatusCode::kConfiguration, "source table " + index_->source_table() +
                                                " has no row with a column that index " + index_->name() +
                                                " watches, so there is nothing to forecast from. Correct the mapping "
                                                "file or --store. 'fensi check MAPPING' shows the watched columns");
}

Result<std::vector<store::RegionSize>> SourceSampler::KnownSizes(const std::vector<std::string>& starts, int64_t* bytes,
                                                                 int64_t* rounding) {
  FENSI_ASSIGN_OR_RETURN(const auto sizes, store_->RegionSizes(index_->source_table()));
  if (!sizes.has_value()) return std::vector<store::RegionSize>();
  // Sizes of regions that were split or merged since do not fit the starts.
  for (const store::RegionSize& size : *sizes) {
    if (!std::binary_search(starts.begin(), starts.end(), size.start)) return std::vector<store::RegionSize>();
    *bytes += size.bytes;
    *rounding += size.rounding;
  }
  return *sizes;
}

Result<SourceSample> SourceSampler::Read() {
  SourceSample sample;
  FENSI_ASSIGN_OR_RETURN(sample.starts, RegionStartsOf(store_, index_->source_table(), clock_));
  sample.regions = sample.starts.size();
  int64_t bytes = 0, rounding = 0;
  FENSI_ASSIGN_OR_RETURN(const std::vector<store::RegionSize> sizes, KnownSizes(sample.starts, &bytes, &rounding));
  const bool by_bytes = options_.table_rows == 0;
  if (options_.time_scan) {
    FENSI_ASSIGN_OR_RETURN(sample.scan_rate, TimeScan(sample.starts));
  }
  if (by_bytes && (sizes.empty() || bytes <= options_.most_counted_bytes)) {
    FENSI_RETURN_IF_ERROR(Count(&sample));
    return sample;
  }
  std::map<std::string, double> known;
  for (const store::RegionSize& size : sizes) known[size.start] = static_cast<double>(size.bytes);
  std::vector<Region> regions;
  for (size_t i = 0; i < sample.starts.size(); ++i) {
    const double share = known.empty() ? 1.0 / static_cast<double>(sample.starts.size())
                                       : known[sample.starts[i]] / static_cast<double>(std::max<int64_t>(1, bytes));
    regions.push_back(
        {.start = sample.starts[i], .stop = i + 1 < sample.starts.size() ? sample.starts[i + 1] : "", .share = share});
  }
  const auto given = static_cast<double>(options_.table_rows), whole = static_cast<double>(bytes);
  const Estimate size =
      by_bytes ? Estimate{whole + static_cast<double>(rounding) / 2, whole, whole + static_cast<double>(rounding)}
               : Estimate{given, given, given};
  FENSI_RETURN_IF_ERROR(Probe(std::move(regions), size, by_bytes, &sample));
  return sample;
}

Status SourceSampler::Count(SourceSample* sample) {
  store::ScanRequest request;
  request.columns = sweep::WatchedColumns(*index_);
  request.keys_only = true;
  sweep::PageReader reader(store_, index_->source_table(), request);
  Reservoir reservoir(options_.rows, &random_);
  std::vector<store::Row> page;
  std::string last;
  for (bool more = true; more;) {
    FENSI_ASSIGN_OR_RETURN(more, reader.Next(&page));
    for (const store::Row& row : page) {
      if (reservoir.seen() > 0 && row.row == last) continue;  // a piece of a wide row
      reservoir.Add(row.row);
      last = row.row;
    }
    if (reservoir.seen() > static_cast<uint64_t>(options_.most_counted_rows)) {
      return Status(StatusCode::kConfiguration,
                    "source table " + index_->source_table() + " has more than " +
                        Counted(options_.most_counted_rows, "row") +
                        ", and this store does not know the sizes of its regions. Name the number of rows with "
                        "--table_rows, or use --store=hbase://…");
    }
  }
  const auto rows = static_cast<double>(reservoir.seen());
  if (reservoir.seen() == 0) return NoRows();
  sample->counted = true;
  Population& population = sample->population;
  population.size = {rows, rows, rows};
  population.rows = rows;
  for (const std::string& key : reservoir.Sorted()) {
    FENSI_ASSIGN_OR_RETURN(store::Row row, ReadRow(key));
    if (row.cells.empty()) continue;  // deleted meanwhile
    population.drawn.push_back({.run = population.drawn.size()});
    sample->rows.push_back(std::move(row));
  }
  population.all = reservoir.seen() == sample->rows.size();
  return sample->rows.empty() ? NoRows() : Status();
}

Status SourceSampler::Probe(std::vector<Region> regions, const Estimate& size, bool by_bytes, SourceSample* sample) {
  const double runs = std::ceil(static_cast<double>(options_.rows) / kRowsOfRun);
  Population& population = sample->population;
  population.size = size;
  population.rows = by_bytes ? 0 : size.value;
  size_t run = 0;
  for (Region& region : regions) {
    FENSI_RETURN_IF_ERROR(FindBorders(&region));
    if (region.first.empty()) continue;
    const auto wanted = static_cast<size_t>(std::max(1.0, std::round(runs * region.share)));
    const size_t from = population.drawn.size();
    for (size_t i = 0; i < wanted; ++i) FENSI_RETURN_IF_ERROR(ReadRun(&region, run++, by_bytes, sample));
    // Runs of a region with small rows represent more rows.
    double bytes = 0;
    const auto drawn = static_cast<double>(population.drawn.size() - from);
    for (size_t i = from; i < population.drawn.size(); ++i) bytes += population.drawn[i].size;
    const double represents = region.share * size.value / std::max(1.0, bytes);
    for (size_t i = from; i < population.drawn.size(); ++i) population.drawn[i].weight = drawn > 0 ? represents : 1;
  }
  return sample->rows.empty() ? NoRows() : Status();
}

Result<std::string> SourceSampler::FirstKey(const std::string& start, const std::string& stop) {
  store::ScanRequest request;
  request.start_row = start;
  request.stop_row = stop;
  request.keys_only = true;
  request.max_rows = request.max_cells = 1;
  FENSI_ASSIGN_OR_RETURN(const std::vector<store::Row> page, store_->Scan(index_->source_table(), request));
  return page.empty() ? std::string() : page.front().row;
}

/// The last key is found byte by byte: HBase reads forward only.
Status SourceSampler::FindBorders(Region* region) {
  FENSI_ASSIGN_OR_RETURN(region->first, FirstKey(region->start, region->stop));
  region->last = region->stop.empty() ? region->first : region->stop;
  if (!region->stop.empty()) return Status();
  std::string prefix;
  for (size_t place = 0; !region->first.empty() && place < kMostPlaces; ++place) {
    int low = -1, high = 256;  // the largest byte that some key has here
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      std::string probe = prefix + static_cast<char>(middle);
      std::string found;
      FENSI_ASSIGN_OR_RETURN(found, FirstKey(std::max(probe, region->first), ""));
      if (found.empty()) {
        high = middle;
      } else {
        region->last = std::max(region->last, found);
        low = middle;
      }
    }
    if (low < 0) break;
    prefix += static_cast<char>(low);
  }
  return Status();
}

/// A key between the borders. Bytes are of the classes that the borders have, since most keys are texts of digits,
/// hexadecimal digits or letters.
std::string SourceSampler::DrawKey(const Region& region) {
  const auto draw = [this](int low, int high) {
    return static_cast<char>(std::uniform_int_distribution<int>(low, high)(random_));
  };
  size_t same = 0;
  const size_t shorter = std::min(region.first.size(), region.last.size());
  while (same < shorter && region.first[same] == region.last[same]) ++same;
  const std::string ends = region.first.substr(same) + region.last.substr(same);
  const auto all = [&](std::string_view set) { return ends.find_first_not_of(set) == std::string::npos; };
  const std::string_view digits = "0123456789", hex = "0123456789abcdef";
  std::string key = region.first.substr(0, same);
  for (size_t i = 0; i < kDrawnBytes; ++i) {
    const auto first = static_cast<uint8_t>(same < region.first.size() ? region.first[same] : 0);
    const auto last = static_cast<uint8_t>(same < region.last.size() ? region.last[same] : 255);
    if (i == 0 && !all(digits) && !all(hex)) {
      key += draw(std::min(first, last), std::max(first, last));
    } else if (all(digits)) {
      key += digits[static_cast<size_t>(draw(0, 9))];
    } else if (all(hex)) {
      key += hex[static_cast<size_t>(draw(0, 15))];
    } else {
      const auto [least, most] = std::minmax_element(
          ends.begin(), ends.end(), [](char a, char b) { return static_cast<uint8_t>(a) < static_cast<uint8_t>(b); });
      key += draw(static_cast<uint8_t>(*least), static_cast<uint8_t>(*most));
    }
  }
  return std::max(region.first, std::min(key, region.last));
}

Status SourceSampler::ReadRun(Region* region, size_t run, bool by_bytes, SourceSample* sample) {
  std::vector<std::string> keys;
  for (int i = 0; i < kTriesOfRun && keys.empty(); ++i) {
    store::ScanRequest request;
    request.start_row = DrawKey(*region);
    request.stop_row = region->stop;
    if (!by_bytes) request.columns = sweep::WatchedColumns(*index_);
    request.keys_only = true;
    request.max_rows = kRowsOfRun;
    request.max_cells = sweep::PageReader::kMostCells;
    FENSI_ASSIGN_OR_RETURN(const std::vector<store::Row> page, store_->Scan(index_->source_table(), request));
    if (page.empty()) region->last = request.start_row;  // no key is there
    for (const store::Row& row : page) {
      if (drawn_.insert(row.row).second) keys.push_back(row.row);
    }
  }
  for (const std::string& key : keys) {
    double bytes = 1;
    if (by_bytes) {
      FENSI_ASSIGN_OR_RETURN(bytes, RawBytes(key));
    }
    FENSI_ASSIGN_OR_RETURN(store::Row row, ReadRow(key));
    sample->population.drawn.push_back({.run = run, .size = bytes});
    sample->rows.push_back(std::move(row));  // one without watched cells counts, too
  }
  return Status();
}

Result<double> SourceSampler::TimeScan(const std::vector<std::string>& starts) {
  store::ScanRequest request;
  request.start_row = starts[std::uniform_int_distribution<size_t>(0, starts.size() - 1)(random_)];
  request.columns = sweep::WatchedColumns(*index_);
  sweep::PageReader reader(store_, index_->source_table(), request);
  const auto begin = clock_->MonotonicNow();
  std::vector<store::Row> page;
  size_t rows = 0;
  for (bool more = true; more && rows < kTimedRows;) {
    FENSI_ASSIGN_OR_RETURN(more, reader.Next(&page));
    rows += page.size();
  }
  const double seconds = std::chrono::duration<double>(clock_->MonotonicNow() - begin).count();
  return seconds < kLeastSeconds ? 0 : static_cast<double>(rows) / seconds;
}

Result<store::Row> SourceSampler::ReadRow(const std::string& key) {
  store::ScanRequest request = store::RowRequest(key);
  request.columns = sweep::WatchedColumns(*index_);
  sweep::PageReader reader(store_, index_->source_table(), request);
  store::Row whole;
  whole.row = key;
  std::vector<store::Row> page;
  size_t bytes = 0;
  for (bool more = true; more;) {
    FENSI_ASSIGN_OR_RETURN(more, reader.Next(&page));
    for (store::Row& piece : page) {
      bytes += store::HeldBytes(piece);
      std::move(piece.cells.begin(), piece.cells.end(), std::back_inserter(whole.cells));
    }
    if (bytes > options_.most_row_bytes) {
      return Status(StatusCode::kConfiguration,
                    "row '" + EscapeSome(key, kMostOfKey) + "' of table " + index_->source_table() + " has more than " +
                        std::to_string(options_.most_row_bytes >> 20) + " MiB in the columns that index " +
                        index_->name() +
                        " watches, and a forecast reads whole rows. Watch fewer columns in the mapping file, or "
                        "make no forecast of this index");
    }
  }
  return whole;
}

/// With all versions and markers, as HBase's files have them.
Result<double> SourceSampler::RawBytes(const std::string& key) {
  double bytes = 0;
  store::ScanRequest request = store::RowRequest(key);
  request.raw = true;
  request.max_versions = INT32_MAX;
  sweep::PageReader reader(store_, index_->source_table(), request);
  std::vector<store::Row> page;
  for (bool more = true; more;) {
    FENSI_ASSIGN_OR_RETURN(more, reader.Next(&page));
    for (const store::Row& row : page) {
      for (const Cell& cell : row.cells) {
        bytes += static_cast<double>(StoredBytes(key, cell.family, cell.qualifier, cell.value.size(), false));
      }
    }
  }
  return std::max(1.0, bytes);
}

}  // namespace fensi::operations
