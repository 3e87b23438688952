#include "base/bytes.h"
#include "base/shown_text.h"
#include "operations/verify/report.h"

namespace fensi::operations {

std::string TextOfFinding(const sweep::Finding& finding) {
  std::string text = sweep::KindName(finding.kind);
  if (!finding.cell.row.empty()) {
    text += "\t" + finding.cell.table + "\t" + Escape(finding.cell.row) + "\t" +
            ColumnText(finding.cell.family, finding.cell.qualifier);
  }
  text += finding.source.row.empty() ? "\tof no known source row" : "\tof source row " + Escape(finding.source.row);
  if (finding.kind == sweep::Finding::Kind::kContentDiffers) {
    text += "\thas '" + finding.found + "', not '" + finding.expected + "'";
  }
  if (!finding.reason.empty()) text += "\t" + SanitizeForTerminal(finding.reason);
  return text + "\n";
}

}  // namespace fensi::operations
