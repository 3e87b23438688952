// A source table of rows that each follow one user, and its index, written side by side without 'fensi run': for
// measurements of what only reads them. Of the index every n-th entry may be left out.
//   follow_loader embedded:DIR ROWS [LEFT_OUT]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "store/open_store.h"

namespace fensi::store {
namespace {

constexpr size_t kRowsPerCall = 2'000;
constexpr size_t kFollowers = 10;  // of a user
constexpr size_t kScatter = 2'654'435'761;
constexpr char kTime[] = "1500000000000";

RowMutation Put(std::string row, std::string qualifier, std::string value) {
  return {
      std::move(row),
      {{.family = "f1", .qualifier = std::move(qualifier), .timestamp = std::atoll(kTime), .value = std::move(value)}}};
}

Status Load(const std::string& url, size_t rows, size_t left_out) {
  auto store = OpenStore(url, {});
  FENSI_RETURN_IF_ERROR(store.status());
  for (const char* table : {"guanzhu", "fensi"})
    FENSI_RETURN_IF_ERROR((*store)->CreateTable({table, {{.name = "f1"}}}, {}));
  const size_t users = rows / kFollowers + 1;
  for (size_t begin = 0; begin < rows; begin += kRowsPerCall) {
    std::vector<RowMutation> follows, followers;
    for (size_t i = begin; i < std::min(rows, begin + kRowsPerCall); ++i) {
      const std::string follower = "user" + std::to_string(i), followed = "user" + std::to_string(i * kScatter % users);
      follows.push_back(Put(follower, "from", followed));
      if (left_out == 0 || i % left_out != 0) followers.push_back(Put(followed, follower, kTime));
    }
    FENSI_RETURN_IF_ERROR((*store)->Put("guanzhu", follows).status());
    FENSI_RETURN_IF_ERROR((*store)->Put("fensi", followers).status());
  }
  return {};
}

}  // namespace
}  // namespace fensi::store

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: follow_loader embedded:DIR ROWS [LEFT_OUT]\n");
    return 64;
  }
  const fensi::Status end = fensi::store::Load(argv[1], std::strtoull(argv[2], nullptr, 10),
                                               argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 0);
  if (!end.ok()) std::fprintf(stderr, "follow_loader: %s\n", end.ToString().c_str());
  return fensi::ExitCode(end.code());
}
