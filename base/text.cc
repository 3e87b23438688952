#include "base/text.h"

#include <arpa/inet.h>

#include <algorithm>

namespace fensi {

std::vector<std::string> SplitList(const std::string& list) {
  std::vector<std::string> parts;
  std::string part;
  for (size_t at = 0; at <= list.size(); ++at) {
    if (at < list.size() && list[at] != ',') {
      const bool comma = list.compare(at, 2, "\\,") == 0;
      part += comma ? ',' : list[at];
      at += comma ? 1 : 0;
    } else if (!part.empty()) {
      parts.push_back(std::move(part));
      part.clear();
    }
  }
  return parts;
}

bool IsNumericAddress(const std::string& host) {
  in6_addr unused{};
  return inet_pton(AF_INET, host.c_str(), &unused) == 1 || inet_pton(AF_INET6, host.c_str(), &unused) == 1;
}

namespace {

std::string Plural(std::string_view singular) {
  if (singular.ends_with("ry")) return std::string(singular.substr(0, singular.size() - 1)) + "ies";
  return std::string(singular) + (singular.ends_with('x') ? "es" : "s");
}

}  // namespace

std::string WithCommas(int64_t number) {
  std::string digits = std::to_string(number);
  const int first = number < 0 ? 1 : 0;
  for (int at = static_cast<int>(digits.size()) - 3; at > first; at -= 3) digits.insert(static_cast<size_t>(at), ",");
  return digits;
}

std::string Counted(int64_t number, std::string_view singular) {
  return WithCommas(number) + " " + (number == 1 ? std::string(singular) : Plural(singular));
}

size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t cost = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + cost});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

std::string_view Nearest(std::string_view word, std::span<const std::string_view> known) {
  if (word.size() < 2 || word.size() > 64) return {};
  std::string_view best;
  size_t best_distance = std::max<size_t>(1, word.size() * 2 / 5) + 1;
  for (std::string_view candidate : known) {
    const size_t longer = std::max(word.size(), candidate.size()) - std::min(word.size(), candidate.size());
    if (longer >= best_distance) continue;
    const size_t distance = EditDistance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::vector<std::string> Suggest(std::string_view word, std::span<const std::string_view> known) {
  const std::string_view best = Nearest(word, known);
  if (best.empty()) return {};
  return {"did you mean '" + std::string(best) + "'?"};
}

std::string OneOf(std::span<const std::string_view> words) {
  std::string out;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " or " : ", ";
    out += words[i];
  }
  return out;
}

}  // namespace fensi
