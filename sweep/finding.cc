#include "sweep/finding.h"

namespace fensi::sweep {

const char* KindName(Finding::Kind kind) {
  switch (kind) {
    case Finding::Kind::kMissing:
      return "missing";
    case Finding::Kind::kOrphan:
      return "orphan";
    case Finding::Kind::kContentDiffers:
      return "content_differs";
    case Finding::Kind::kUndecided:
      return "undecided";
    case Finding::Kind::kUnmappable:
      return "unmappable";
  }
  return "";
}

void Count(Finding::Kind kind, Counts* counts) {
  switch (kind) {
    case Finding::Kind::kMissing:
      ++counts->missing;
      break;
    case Finding::Kind::kOrphan:
      ++counts->orphan;
      break;
    case Finding::Kind::kContentDiffers:
      ++counts->content_differs;
      break;
    case Finding::Kind::kUndecided:
      ++counts->undecided;
      break;
    case Finding::Kind::kUnmappable:
      ++counts->unmappable;
      break;
  }
}

}  // namespace fensi::sweep
