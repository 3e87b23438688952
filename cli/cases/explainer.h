// What events do to indexes, told step by step: by the same code as `fensi run`, on empty indexes in memory.
//
// One thread; prints to standard output, and writes nothing anywhere else.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/cases/standing_wall.h"
#include "cli/cases/trial.h"
#include "cli/reading/source_mirror.h"
#include "mapping/index.h"

namespace fensi::cli {

/// The indexes of a file, each with what the events so far have made of it.
class Explainer {
 public:
  Status AddIndex(std::shared_ptr<const mapping::Index> index);
  Status Explain(const ChangeEvent& event);

 private:
  struct Watched {
    std::shared_ptr<const mapping::Index> index;
    std::unique_ptr<Trial> trial;
    std::unique_ptr<SourceMirror> source;
  };

  static Status PrintSteps(const Watched& watched, const std::string& row);
  static Status ExplainFor(Watched* watched, const ChangeEvent& event);

  StandingWall epoch_;
  std::vector<Watched> indexes_;
  int64_t events_ = 0;
};

}  // namespace fensi::cli
