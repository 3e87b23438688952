#include "cli/reading/answer_watch.h"

#include <array>
#include <utility>

#include "cli/program/output.h"

namespace fensi::cli {

void AnswerWatch::Add(std::string_view line) {
  constexpr size_t kMostLines = 100'000;
  constexpr size_t kMostBytes = size_t{64} << 20;
  too_large_ = too_large_ || now_.size() >= kMostLines || bytes_ + line.size() > kMostBytes;
  if (too_large_) return;
  bytes_ += line.size();
  now_.emplace(line);
}

void AnswerWatch::PrintLine(Change change, const std::string& line) const {
  struct Sign {
    const char* text;
    const char* json;
  };
  constexpr std::array<Sign, 3> kSigns = {{{"=", "is"}, {"+", "came"}, {"-", "went"}}};
  const Sign& sign = kSigns[static_cast<size_t>(change)];
  Print(json_ ? "{\"change\":\"" + std::string(sign.json) + "\"," + line.substr(1)
              : std::string(sign.text) + "\t" + line);
}

Status AnswerWatch::Fits() const {
  if (!too_large_) return {};
  return InvalidArgument(
      "the answer has more than 100,000 cells or 64 MiB: too much for --watch. Give more parts of the row key, or "
      "--max_rows");
}

std::unique_ptr<store::Store> AnswerWatch::WhileWanted(store::Store* store) const {
  return store->Guarded([this] {
    FENSI_RETURN_IF_ERROR(FinishOutput());
    return Fits();
  });
}

Status AnswerWatch::Show() {
  FENSI_RETURN_IF_ERROR(Fits());
  for (const std::string& line : before_) {
    if (!now_.contains(line)) PrintLine(Change::kWent, line);
  }
  for (const std::string& line : now_) {
    if (!before_.contains(line)) PrintLine(first_ ? Change::kIs : Change::kCame, line);
  }
  first_ = false;
  before_ = std::exchange(now_, {});
  bytes_ = 0;
  return FinishOutput();
}

}  // namespace fensi::cli
