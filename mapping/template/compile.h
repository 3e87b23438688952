// Compiles a template to a program: looks up names, reads arguments, checks types.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mapping/environment.h"
#include "mapping/source_row.h"
#include "mapping/template/program.h"
#include "mapping/template/syntax.h"
#include "mapping/yaml/node.h"
#include "mapping/yaml/reporter.h"

namespace fensi::mapping {

/// The kind of `each:`, which decides which references have a meaning.
enum class Fanout { kNone, kColumns, kList };

/// Compiles the templates of one index. Borrows the reporter; collects the columns that they name.
class TemplateCompiler {
 public:
  explicit TemplateCompiler(Reporter* reporter, Outside outside = {})
      : reporter_(reporter), outside_(std::move(outside)) {}

  /// The columns of `each:` decide what is known of family, qualifier and item.
  void BindColumns(const std::vector<Watch>& columns);
  void BindItems(const std::optional<Template>& list);
  const std::vector<Slot>& slots() const { return slots_; }

  /// Compiles the bytes [begin, end) of a text node as a template that gives bytes. Absent if something was reported.
  std::optional<Template> Compile(const Node& node, size_t begin = 0, size_t end = std::string::npos);
  /// As Compile, but its parts may be of any type.
  std::optional<Template> CompileAnyType(const Node& node, size_t begin = 0, size_t end = std::string::npos);

  /// A column named outside of templates (`requires:`).
  std::optional<Reference> CompileColumn(const Node& node);
  const Outside& outside() const { return outside_; }

 private:
  bool WellQuoted(const Node& node);
  bool ShortEnough(const Node& node, const std::vector<PartSyntax>& syntax);
  bool CompilePart(const Node& node, const PartSyntax& syntax, Part* part);
  bool Resolve(const Node& node, const ReferenceSyntax& syntax, Part* part);
  bool ResolveJoined(const Node& node, const ReferenceSyntax& syntax, Part* part);
  bool ResolveName(const Node& node, const ReferenceSyntax& syntax, Part* part);
  Shape ShapeOf(Reference::Kind kind, Type type) const;
  bool CompileCall(const Node& node, const CallSyntax& syntax, Part* part);
  bool CompileDefault(const Node& node, const CallSyntax& syntax, Part* part);
  bool UnknownFunction(const Node& node, const CallSyntax& syntax);
  size_t SlotOf(const std::string& family, const std::string& qualifier);
  bool Fail(const Node& node, Code code, Span span, std::string message, std::vector<std::string> hints = {});

  Reporter* const reporter_;
  const Outside outside_;
  Fanout fanout_ = Fanout::kNone;
  Shape family_;
  Shape qualifier_;
  Shape item_;
  std::vector<Slot> slots_;
  std::map<std::pair<std::string, std::string>, size_t> slot_of_;  // by family and qualifier
};

/// A template that is this text alone.
Template ConstantTemplate(std::string literal);

/// "escaped", as an argument or the value of a condition is written.
std::string QuotedText(std::string_view bytes);

/// "family:qualifier" as a reference names the column. A family or qualifier with a character that means something in a
/// template is quoted: two columns never have one text, and the text is read as this column again.
std::string ColumnReference(std::string_view family, std::string_view qualifier);

// A text as a template, where nobody is told what is wrong with it.

/// Its parts may be of any type. `slots`: the columns that it names. Nothing: it is no template. Pure.
std::optional<Template> CompileText(const std::string& text, std::vector<Slot>* slots, const Outside& outside = {});

}  // namespace fensi::mapping
