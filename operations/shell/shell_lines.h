// Writes commands for the HBase shell, which reads Ruby, that create what fensi shows. Pure.
//
// Every byte that is no printable ASCII is escaped, so the shell gets the same bytes in every locale.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/cell.h"
#include "store/store.h"

namespace fensi::operations {

/// A Ruby string in double quotes.
std::string ShellText(std::string_view bytes);

/// A comment for each line of the text.
std::string ShellComment(std::string_view text);

/// The command that writes the cell: a put, or the delete that leaves this marker. The shell cannot name a column whose
/// qualifier has a colon, because it takes the rest for a converter; its line is a comment. `behind`: a comment at the
/// end of the line. With the line end.
std::string ShellCell(const std::string& table, std::string_view row, const Cell& cell, const std::string& behind);

/// "create", preceded by the command that creates the table's namespace. Names every attribute that is not HBase's
/// default. With line ends.
std::string ShellCreate(const store::TableDescriptor& table, const std::vector<std::string>& split_keys);

/// "alter", with the attributes of one family.
std::string ShellAlter(const std::string& table, const store::FamilyDescriptor& family);

}  // namespace fensi::operations
