// Parts of templates out of the whole function table, right by their types. One seed gives one part.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mapping/template/compile.h"
#include "tests/mapping/random_rows.h"

namespace fensi::mapping {

/// Is what the reference names a time?
bool IsTime(const std::string& reference);

/// "{REFERENCE | step | …}" that ends as bytes.
std::string RandomPart(Dice* dice, const std::string& reference);
/// One to four parts of these references, with or without literals between.
std::string RandomTemplate(Dice* dice, const std::vector<std::string>& references);
/// As CompileText, with zones, the messages of deploy/examples/visitors.proto and the records of orders.avsc.
std::optional<Template> CompileWithProtos(const std::string& text, std::vector<Slot>* slots);

/// The messages of deploy/examples/visitors.proto.
std::shared_ptr<const ProtoSchemas> VisitorSchemas();

}  // namespace fensi::mapping
