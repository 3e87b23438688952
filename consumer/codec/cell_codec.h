// proto::Cell to and from Cell. Pure, any thread.
#pragma once

#include "base/cell.h"
#include "base/status.h"

namespace fensi::proto {
class Cell;
}

namespace fensi::consumer {

/// Takes the bytes out of `from`. kInvalidArgument: a type that nobody knows.
Status FillCell(proto::Cell* from, Cell* to);
void FillMessageCell(const Cell& from, proto::Cell* to);

}  // namespace fensi::consumer
