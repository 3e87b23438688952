#include "operations/shell/shell_lines.h"

#include "base/bytes.h"

namespace fensi::operations {
namespace {

using store::FamilyDescriptor;

/// Split keys go through Bytes.toBytesBinary, which reads \xNN itself: Ruby must leave it alone.
std::string BinaryText(std::string_view bytes) {
  std::string out = "'";
  for (const char c : EscapeAscii(bytes)) out += c == '\'' ? std::string("\\x27") : std::string(1, c);
  return out + "'";
}

std::string TruthText(bool truth) { return truth ? "'true'" : "'false'"; }

std::string ConfigurationText(const FamilyDescriptor& family) {
  std::string text;
  for (const auto& [key, value] : family.configuration) {
    text += (text.empty() ? "" : ", ") + ShellText(key) + " => " + ShellText(value);
  }
  return text;
}

std::string FamilyLine(const FamilyDescriptor& family) {
  std::string text = "{NAME => " + ShellText(family.name) + ", VERSIONS => " + std::to_string(family.max_versions);
  if (family.min_versions) text += ", MIN_VERSIONS => " + std::to_string(*family.min_versions);
  if (family.ttl_seconds) text += ", TTL => " + std::to_string(*family.ttl_seconds);
  text += ", BLOOMFILTER => " + ShellText(family.bloom_filter) + ", COMPRESSION => " + ShellText(family.compression);
  if (family.in_memory) text += ", IN_MEMORY => " + TruthText(true);
  if (!family.block_cache) text += ", BLOCKCACHE => " + TruthText(false);
  if (family.block_size) text += ", BLOCKSIZE => " + std::to_string(*family.block_size);
  if (family.replication_scope != 0) text += ", REPLICATION_SCOPE => " + std::to_string(family.replication_scope);
  if (!family.configuration.empty()) text += ", CONFIGURATION => {" + ConfigurationText(family) + "}";
  return text + "}";
}

/// What makes a marker of this type: `deleteall` writes those of all versions up to one, `delete` those of one version.
std::string CommandOf(CellType type) {
  if (type == CellType::kPut) return "put";
  return type == CellType::kDeleteColumn || type == CellType::kDeleteFamily ? "deleteall" : "delete";
}

}  // namespace

std::string ShellText(std::string_view bytes) {
  std::string out = "\"";
  for (const char c : EscapeAscii(bytes)) {
    if (c == '"' || c == '#') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string ShellComment(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    out += "# " + std::string(text.substr(0, end)) + "\n";
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return out;
}

std::string ShellCell(const std::string& table, std::string_view row, const Cell& cell, const std::string& behind) {
  const std::string column = IsFamilyMarker(cell.type) ? cell.family : cell.family + ":" + cell.qualifier;
  std::string text = CommandOf(cell.type) + " " + ShellText(table) + ", " + ShellText(row) + ", " + ShellText(column);
  if (cell.type == CellType::kPut) text += ", " + ShellText(cell.value);
  text += ", " + std::to_string(cell.timestamp);
  if (!behind.empty()) text += "  # " + behind;
  const bool unnamed = !IsFamilyMarker(cell.type) && cell.qualifier.find(':') != std::string::npos;
  return (unnamed ? "# the shell cannot name this column: " : "") + text + "\n";
}

std::string ShellCreate(const store::TableDescriptor& table, const std::vector<std::string>& split_keys) {
  const size_t colon = table.name.find(':');
  std::string text;
  if (colon != std::string::npos) {
    text = "create_namespace " + ShellText(table.name.substr(0, colon)) + "  # leave it out where there is one\n";
  }
  text += "create " + ShellText(table.name);
  for (const FamilyDescriptor& family : table.families) text += ", " + FamilyLine(family);
  std::string splits;
  for (const std::string& key : split_keys) splits += (splits.empty() ? "" : ", ") + BinaryText(key);
  if (!splits.empty()) text += ", SPLITS => [" + splits + "]";
  return text + "\n";
}

std::string ShellAlter(const std::string& table, const FamilyDescriptor& family) {
  return "alter " + ShellText(table) + ", " + FamilyLine(family) + "\n";
}

}  // namespace fensi::operations
