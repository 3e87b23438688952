// Limits the dead letters of the images of one job: a scan may meet millions of rows that give no entry. All are
// counted.
//
// Not thread-safe; one per assignment.
#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace fensi::indexer {

class DeadLetterLimit {
 public:
  static constexpr size_t kLettersOfAJob = 1'000;
  /// Jobs that are counted separately; later jobs share the rest of one job.
  static constexpr size_t kJobs = 100;

  /// False: the job has used up its dead letters.
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
