// Explains step by step what events do to indexes, with the code of `fensi run` on empty indexes in memory.
//
// One thread; prints to standard output, and writes nothing anywhere else.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mapping/index.h"
#include "operations/trial/frozen_wall_clock.h"
#include "operations/trial/source_mirror.h"
#include "operations/trial/trial.h"

namespace fensi::operations {

/// The indexes of a file, each with the result of the events so far.
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

  FrozenWallClock epoch_;
  std::vector<Watched> indexes_;
  int64_t events_ = 0;
};

}  // namespace fensi::operations
