#include "mapping/lookup/key_parts.h"

#include <algorithm>

#include "mapping/template/steps.h"

namespace fensi::mapping {
namespace {

size_t PieceSteps(const Part& part) {
  size_t steps = 0;
  while (steps < part.steps.size() && RoleOf(part.steps[steps]) == Role::kPiece) ++steps;
  return steps;
}

KeyPart PieceOf(const Part& part, size_t steps) {
  KeyPart piece{&part, steps, part.reference->name};
  for (size_t i = 0; i < steps; ++i) piece.name += " | " + StepText(part.steps[i]);
  return piece;
}

// Nobody can give the whole of a value of which the key holds nothing but several pieces.
bool InPieces(const std::vector<const Part*>& parts, const Part& part) {
  const size_t steps = PieceSteps(part);
  bool several = false;
  for (const Part* other : parts) {
    if (!other->reference->Same(*part.reference)) continue;
    if (PieceSteps(*other) == 0) return false;
    several = several || PieceSteps(*other) != steps || !BeginAlike(*other, part, steps);
  }
  return several;
}

}  // namespace

bool KeyPart::Decides(const Part& part) const {
  return !part.IsLiteral() && part.reference->Same(*first->reference) && BeginAlike(part, *first, steps);
}

std::vector<KeyPart> KeyParts(const Template& row) {
  std::vector<const Part*> parts;
  for (size_t i = SaltParts(row); i < row.parts.size(); ++i) {
    if (!row.parts[i].IsLiteral()) parts.push_back(&row.parts[i]);
  }
  std::vector<KeyPart> out;
  for (const Part* part : parts) {
    const auto decides = [part](const KeyPart& known) { return known.Decides(*part); };
    if (std::any_of(out.begin(), out.end(), decides)) continue;
    out.push_back(PieceOf(*part, InPieces(parts, *part) ? PieceSteps(*part) : 0));
  }
  return out;
}

}  // namespace fensi::mapping
