// How many letters the images of one job may make: a scan may meet millions of rows that give no entry. All are
// counted.
//
// Not thread-safe; of one assignment.
#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace fensi::indexer {

class LetterBound {
 public:
  static constexpr size_t kLettersOfAJob = 1'000;
  /// Jobs that are told apart; later ones share what is left of one job.
  static constexpr size_t kJobs = 100;

  /// False: the job had its letters.
  bool Take(const std::string& job) {
    const bool known = told_.contains(job) || told_.size() < kJobs;
    size_t* told = known ? &told_[job] : &others_;
    return ++*told <= kLettersOfAJob;
  }

 private:
  std::map<std::string, size_t> told_;
  size_t others_ = 0;
};

}  // namespace fensi::indexer
