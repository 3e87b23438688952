// Reads one page of a scan, over as many regions as necessary.
//
// Blocks. A scanner lives within a page only: after an error another one is opened after the last whole row.
#pragma once

#include <string>

#include "hbase/calls/context.h"
#include "hbase/requests.h"

namespace fensi::hbase {

/// kNotFound: the table does not exist. kConfiguration: it lacks a family.
Result<ScanPage> ReadPage(const CallContext& context, const std::string& table, const ScanSpec& spec);

}  // namespace fensi::hbase
