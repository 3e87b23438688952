#include <memory>
#include <vector>

#include "operations/console/console.h"
#include "operations/forecast/forecast.h"

namespace fensi::operations {
namespace {

Status ForecastOne(const std::shared_ptr<const mapping::Index>& index, const ForecastRunOptions& options) {
  const StoreOptions named = WithSource(options.store, {index->source_table()});
  FENSI_ASSIGN_OR_RETURN(const std::unique_ptr<store::Store> store, OpenStoreToRead(named, index->source_table()));
  FENSI_RETURN_IF_ERROR(RequireTable(named, store.get(), index->source_table()).status());
  FENSI_ASSIGN_OR_RETURN(const Forecast forecast, MakeForecast(index, store.get(), options.forecast, SystemClock()));
  if (!options.compare) {
    Print(options.json ? ForecastJson(forecast) : ForecastText(forecast));
    return Status();
  }
  FENSI_ASSIGN_OR_RETURN(const Reality reality, CountReality(*index, store.get(), SystemClock()));
  const std::vector<Compared> compared = Compare(forecast, reality);
  Print(options.json ? ComparisonJson(forecast, compared) : ComparisonText(forecast, compared));
  return Status();
}

}  // namespace

Status RunForecast(const Indexes& indexes, const ForecastRunOptions& options) {
  for (const auto& index : indexes) FENSI_RETURN_IF_ERROR(ForecastOne(index, options));
  return Status();
}

}  // namespace fensi::operations
