#include "mapping/starter/proposals.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/bytes.h"

namespace fensi::mapping {
namespace {

constexpr size_t kLongestKeyValue = 64;  // longer values are no keys
constexpr size_t kLongestCopiedValue = 32;
constexpr char kSalt[] = "{row | salt 16}";

bool IsPlain(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' ||
           c == '.';
  });
}

/// Escaped so that it may stand in double quotes within a single-quoted YAML scalar.
std::string Quotable(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    const bool special =
        c == '"' || c == '\'' || c == '{' || c == '}' || c == '*' || static_cast<unsigned char>(c) >= 0x7f;
    constexpr char kHex[] = "0123456789ABCDEF";
    if (special) {
      out += {'\\', 'x', kHex[static_cast<unsigned char>(c) >> 4], kHex[c & 15]};
    } else {
      out += Escape(std::string_view(&c, 1));
    }
  }
  return out;
}

std::string Quoted(std::string_view name) { return IsPlain(name) ? std::string(name) : "\"" + Quotable(name) + "\""; }

/// A name with letters, digits and '_' only, for a part of other names.
std::string Slug(std::string_view name) {
  constexpr size_t kLongest = 40;
  std::string out;
  for (const char c : name.substr(0, kLongest)) {
    const bool good = IsPlain(std::string_view(&c, 1)) && c != '.' && c != '-';
    if (good) {
      out += c;
    } else if (!out.empty() && out.back() != '_') {
      out += '_';
    }
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  return out.empty() ? "column" : out;
}

/// In a pattern of columns a star ends it.
bool CanBePattern(const std::string& family) { return family.find('*') == std::string::npos; }

bool IsDomain(const std::string& qualifier) {
  static const std::set<std::string> kNames = {"host", "hostname", "domain", "site"};
  return kNames.contains(qualifier);
}

/// A column as the first part of a key: ends itself, and keeps the order of numbers. Empty: no good as a key.
std::string KeyPartOf(const std::string& reference, const ValuesGuess& values, bool is_domain) {
  switch (values.kind) {
    case ValueKind::kText:
      if (values.longest > kLongestKeyValue) return "";
      return "{" + reference + (is_domain ? " | reverse_domain" : "") + " | terminated}";
    case ValueKind::kNumber:
      // Perhaps codes, of which later ones have letters.
      if (values.sort_as_text()) return "{" + reference + " | terminated}";
      return "{" + reference + " | int | ordered}";
    case ValueKind::kLongNumber:
      if (values.sort_as_text()) return "{" + reference + " | terminated}";
      return "{" + reference + " | number | ordered | terminated}";
    case ValueKind::kMillis:
      return "{" + reference + " | int | decimal 13}";
    case ValueKind::kSeconds:
      return "{" + reference + " | int | from_s | ordered}";
    case ValueKind::kMicros:
      return "{" + reference + " | int | from_us | ordered}";
    case ValueKind::kNanos:
      return "{" + reference + " | int | from_ns | ordered}";
    case ValueKind::kLong:
      return "{" + reference + " | i64 | ordered}";
    case ValueKind::kInt:
      return "{" + reference + " | i32 | ordered 4}";
    case ValueKind::kPoint:
      return "{" + reference + " | number | ordered | terminated}";
    case ValueKind::kIsoTime:
      return "{" + reference + " | iso_time | ordered}";
    case ValueKind::kUuid:
      return "{" + reference + " | uuid}";
    case ValueKind::kDouble:
      return "{" + reference + " | f64 | ordered}";
    case ValueKind::kFloat:
      return "{" + reference + " | f32 | ordered 4}";
    case ValueKind::kPhoenixLong:
      return "{" + reference + " | phoenix BIGINT | ordered}";
    case ValueKind::kPhoenixInt:
      return "{" + reference + " | phoenix INTEGER | ordered 4}";
    case ValueKind::kPhoenixDouble:
      return "{" + reference + " | phoenix DOUBLE | ordered}";
    default:
      return "";
  }
}

bool IsTime(const ValuesGuess& values) {
  return values.kind == ValueKind::kIsoTime || (values.kind >= ValueKind::kMillis && values.kind <= ValueKind::kNanos);
}

/// A field that says nothing of its document, such as the version of a connector.
bool IsConstantField(const ColumnGuess& column) {
  constexpr size_t kManyRows = 20;
  return !column.field.empty() && column.values.distinct == 1 && column.rows >= kManyRows;
}

std::string ReferenceOf(const ColumnGuess& column) {
  return ReferenceText(column.family, column.qualifier) + column.steps;
}

std::string ShownText(const ColumnGuess& column) {
  return ColumnText(column.family, column.qualifier) + (column.field.empty() ? "" : "." + column.field);
}

/// The question that a range of such a column answers.
std::vector<std::string> AboutOrder(const std::string& reference, const ValuesGuess& values) {
  const bool whole = values.kind == ValueKind::kNumber || values.kind == ValueKind::kLongNumber;
  if (!whole || !values.sort_as_text()) {
    return {"The numbers in the key keep their order, so a lookup can ask for a range."};
  }
  return {"The key orders the values as text. This is the order of the numbers if all have " +
              std::to_string(values.longest) + (values.longest == 1 ? " digit." : " digits."),
          "Then a lookup can ask for a range. For numbers of any length, and no other values, write",
          "'{" + reference +
              (values.kind == ValueKind::kNumber ? " | int | ordered}'" : " | number | ordered | terminated}'") +
              " in its place."};
}

/// Collects proposals of one table and gives them names of their own.
class Proposer {
 public:
  Proposer(const TableSample& sample, const TableGuess& guess) : sample_(sample), guess_(guess) {
    const size_t colon = sample.table.find(':');
    if (colon != std::string::npos) namespace_ = sample.table.substr(0, colon + 1);
    base_ = Slug(std::string_view(sample.table).substr(colon == std::string::npos ? 0 : colon + 1));
    FindTime();
  }

  std::vector<Proposal> Run() {
    for (const ColumnGuess* column : KeyColumns()) ProposeColumn(*column);
    for (const FamilyGuess& family : guess_.families) {
      if (family.wide) ProposeWide(*family.wide);
    }
    for (size_t i = 1; i < guess_.key.parts.size(); ++i) ProposeKeyPart(i);
    ProposeTimes();
    if (proposals_.empty()) ProposeAnything();
    return std::move(proposals_);
  }

 private:
  /// The time of a row: the column that most rows have.
  void FindTime() {
    for (const FamilyGuess& family : guess_.families) {
      for (const ColumnGuess& column : family.columns) {
        if (!IsTime(column.values) || column.items) continue;
        if (time_ == nullptr || column.rows > time_->rows) time_ = &column;
      }
    }
  }

  /// Columns whose values can be looked for. First those that say something of many rows, and share values with others.
  std::vector<const ColumnGuess*> KeyColumns() const {
    std::vector<const ColumnGuess*> columns;
    for (const FamilyGuess& family : guess_.families) {
      for (const ColumnGuess& column : family.columns) {
        const bool key = !KeyPartOf("x", column.values, false).empty() && !IsTime(column.values);
        if (key && !IsConstantField(column)) columns.push_back(&column);
      }
    }
    const auto rank = [](const ColumnGuess* column) {
      const bool text = IsLetters(column->values.kind);
      const bool shared = column->values.distinct > 1 && column->values.distinct < column->rows;
      return (column->values.distinct > 1 ? 4 : 0) + (text ? 2 : 0) + (shared ? 1 : 0);
    };
    std::stable_sort(columns.begin(), columns.end(), [&](const ColumnGuess* a, const ColumnGuess* b) {
      return rank(a) != rank(b) ? rank(a) > rank(b) : a->rows > b->rows;
    });
    return columns;
  }

  void ProposeColumn(const ColumnGuess& column) {
    const std::string reference = column.items ? "item" : ReferenceOf(column);
    const std::string shown = ShownText(column);
    const bool number = !IsLetters(column.values.kind);
    std::string row = KeyPartOf(reference, column.values, IsDomain(column.qualifier));
    std::vector<std::string> about = {"Which rows have a given " + shown + (column.items ? " in their list?" : "?")};
    if (number) {
      const std::vector<std::string> order = AboutOrder(reference, column.values);
      about.insert(about.end(), order.begin(), order.end());
    }
    if (time_ != nullptr) {
      row += KeyPartOf(ReferenceOf(*time_), time_->values, false);
      about.push_back("The entries are ordered by " + ShownText(*time_) + ", so a lookup can ask for a span of time.");
    }
    std::vector<std::string> lines = {"row: '" + row + "{row}'", "columns: { 'i:': '' }"};
    if (column.items) lines.insert(lines.begin(), "each: '{" + ReferenceOf(column) + "}'");
    if (number) {
      about.push_back(
          "If the numbers grow with time, put a salt or a hash in front. Otherwise all writes go to one region.");
      lines.push_back("ignore_warnings: [growing-key]");
    }
    Add(column.field.empty() ? column.qualifier : column.field, std::move(about), std::move(lines));
  }

  void ProposeWide(const WideGuess& wide) {
    const bool bytes = IsBinaryNumber(wide.names.kind);
    const std::string piece = wide.prefix.empty() ? "" : " | slice " + std::to_string(wide.prefix.size());
    const std::string end = bytes ? " | fixed " + std::to_string(wide.names.longest) : " | terminated";
    const bool copy = wide.values.longest <= kLongestCopiedValue;
    Add(wide.family + (wide.prefix.empty() ? "" : "_" + wide.prefix),
        {"Which rows have a column " + ColumnText(wide.family, wide.prefix + wide.names.example) +
             "? The qualifier becomes the index row key,",
         "and each source row is one entry under it, with " +
             std::string(copy ? "the value." : "the time of the column (values are long).")},
        {"each: '" + Quotable(wide.family) + ":" + Quotable(wide.prefix) + "*'",
         "row: '{qualifier" + piece + end + "}{row}'",
         "columns: { 'i:': '" + std::string(copy ? "{value}" : "{ts | decimal}") + "' }"});
  }

  /// An index by a later part of the row key, for readers who do not know the parts before it.
  void ProposeKeyPart(size_t i) {
    const GuessedPart& part = guess_.key.parts[i];
    const std::optional<std::string> existence = Existence();
    const std::string row = KeyPartOf(part.reference, part.values, false);
    if (row.empty() || !existence || part.is_hash || IsTime(part.values) || part.newest_first) return;
    std::vector<std::string> lines = {"row: '" + row + "{row}'", "columns: { 'i:': '' }",
                                      "requires: '" + *existence + "'"};
    if (!IsLetters(part.values.kind)) lines.push_back("ignore_warnings: [growing-key]");
    Add("key_part_" + std::to_string(i + 1),
        {"Which rows have a given part " + std::to_string(i + 1) + " of their row key, with any parts before it?"},
        std::move(lines));
  }

  /// A column that rows have as long as they are there.
  std::optional<std::string> Existence() const {
    const ColumnGuess* best = nullptr;
    for (const FamilyGuess& family : guess_.families) {
      for (const ColumnGuess& column : family.columns) {
        if (best == nullptr || column.rows > best->rows) best = &column;
      }
    }
    if (best == nullptr) return std::nullopt;
    return ReferenceText(best->family, best->qualifier);
  }

  void ProposeTimes() {
    for (const FamilyGuess& family : guess_.families) {
      for (const ColumnGuess& column : family.columns) {
        if (IsTime(column.values) && !column.items) ProposeTime(column);
      }
    }
  }

  void ProposeTime(const ColumnGuess& column) {
    Add(column.field.empty() ? column.qualifier : column.field,
        {"Which rows are of a given " + ShownText(column) +
             "? A time at the front would send all writes to one region, so the key begins with a salt",
         "of 16 values, made from the source row key. A reader makes 16 scans, as 'fensi lookup' does."},
        {"row: '" + std::string(kSalt) + KeyPartOf(ReferenceOf(column), column.values, false) + "{row}'",
         "columns: { 'i:': '' }", "ignore_warnings: [salted]"});
  }

  /// Nothing could be guessed; but the file has to hold an index.
  void ProposeAnything() {
    const std::string& family = sample_.families.front().name;
    if (!CanBePattern(family)) {
      return Add(family, {"Nothing in the sample looks like a key. Write your own row key into 'row'."},
                 {"row: '{" + ReferenceText(family, "") + " | terminated}{row}'", "columns: { 'i:': '' }"});
    }
    Add(family,
        {"Nothing in the sample looks like a key. This index uses the qualifiers of a family as keys, which may be",
         "wrong. Write your own row key into 'row'."},
        {"each: '" + Quotable(family) + ":*'", "row: '{qualifier | terminated}{row}'", "columns: { 'i:': '' }"});
  }

  void Add(const std::string& by, std::vector<std::string> about, std::vector<std::string> lines) {
    std::string slug = Slug(by);
    for (int i = 2; !slugs_.insert(slug).second; ++i) slug = Slug(by) + "_" + std::to_string(i);
    std::string name = base_ + "-by-" + slug;
    std::replace(name.begin(), name.end(), '_', '-');
    if (const std::string create = CreateLine(); !create.empty()) lines.push_back(create);
    proposals_.push_back({std::move(name), namespace_ + base_ + "_by_" + slug, std::move(about), std::move(lines)});
  }

  /// Entries should go when their source does: the shortest TTL of the source, if all families have one.
  std::string CreateLine() const {
    std::optional<int32_t> shortest;
    for (const SampleFamily& family : sample_.families) {
      if (!family.ttl_seconds) return "";
      shortest = std::min(shortest.value_or(*family.ttl_seconds), *family.ttl_seconds);
    }
    return "create: { families: { i: { ttl: " + std::to_string(*shortest) + "s } } }";
  }

  const TableSample& sample_;
  const TableGuess& guess_;
  std::string namespace_;  // with its colon
  std::string base_;
  const ColumnGuess* time_ = nullptr;
  std::set<std::string> slugs_;
  std::vector<Proposal> proposals_;
};

}  // namespace

TableGuess GuessTable(const TableSample& sample) {
  TableGuess guess;
  guess.key = GuessRowKeys(sample);
  for (const SampleFamily& family : sample.families) {
    guess.families.push_back(GuessFamily(sample, family.name));
    if (!CanBePattern(family.name)) guess.families.back().wide.reset();
  }
  return guess;
}

std::vector<Proposal> Propose(const TableSample& sample, const TableGuess& guess) {
  return Proposer(sample, guess).Run();
}

std::string ReferenceText(const std::string& family, const std::string& qualifier) {
  return Quoted(family) + ":" + Quoted(qualifier);
}

}  // namespace fensi::mapping
