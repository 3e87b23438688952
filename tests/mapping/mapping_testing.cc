#include "tests/mapping/mapping_testing.h"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "base/bytes.h"
#include "mapping/functions/avro_schemas.h"
#include "mapping/functions/proto_schemas.h"
#include "mapping/template/compile.h"

namespace fensi::mapping {
namespace {

std::string FileOf(const std::vector<std::string>& lines) {
  std::string text = "source: t\nindexes:\n  x:\n    table: x_table\n";
  for (const std::string& line : lines) text += "    " + line + "\n";
  return text;
}

std::string Joined(const std::vector<std::string_view>& items) {
  std::string out;
  for (std::string_view item : items) out += (out.empty() ? "" : ", ") + EscapeAscii(item);
  return out;
}

constexpr int64_t kNewYear2016 = 1451606400000;

std::optional<int64_t> NewYear2016After(int64_t utc_millis) {
  return utc_millis < kNewYear2016 ? std::optional(kNewYear2016) : std::nullopt;
}

class HalfZone final : public TimeZone {
 public:
  int64_t OffsetSeconds(int64_t utc_millis) const override { return utc_millis < kNewYear2016 ? 1800 : 3600; }
  std::optional<int64_t> NextChange(int64_t utc_millis) const override { return NewYear2016After(utc_millis); }
};

class BackZone final : public TimeZone {
 public:
  int64_t OffsetSeconds(int64_t utc_millis) const override { return utc_millis < kNewYear2016 ? 7200 : 3600; }
  std::optional<int64_t> NextChange(int64_t utc_millis) const override { return NewYear2016After(utc_millis); }
};

std::shared_ptr<const ProtoSchemas> VisitorSchemas() {
  auto schemas = std::make_shared<ProtoSchemas>();
  const auto none = [](const std::string& name) { return Result<std::string>(Status(StatusCode::kNotFound, name)); };
  const Status added = schemas->Add("visitors.proto", ReadFile(InTree("deploy/examples/visitors.proto")), none);
  if (added.ok()) return schemas;
  std::cerr << added.message() << "\n";
  std::abort();
}

}  // namespace

std::shared_ptr<const AvroSchemas> OrderSchemas() {
  static const std::shared_ptr<const AvroSchemas> schemas = [] {
    const auto made = std::make_shared<AvroSchemas>();
    for (const char* file : {"deploy/examples/orders.avsc", "tests/data/types/types.avsc"}) {
      const Status added = made->Add(file, ReadFile(InTree(file)));
      if (added.ok()) continue;
      std::cerr << added.message() << "\n";
      std::abort();
    }
    return made;
  }();
  return schemas;
}

const Environment& TestEnvironment() {
  static const std::map<std::string, std::string> files = {
      {"broken.proto", "message A {\n  int64 x = ;\n}\n"},
      {"lost.proto", "import \"nowhere.proto\";\nmessage A {}\n"},
      {"broken.avsc", "{\"type\": \"record\",\n \"name\" \"A\"}\n"},
      {"lost.avsc", "{\"type\": \"array\",\n \"items\": \"example.Ordr\"}\n"},
  };
  static const Environment environment = {[](const std::string&, const std::string& name) -> Result<std::string> {
                                            if (name == "visitors.proto" || name == "orders.avsc")
                                              return ReadFile(InTree("deploy/examples/" + name));
                                            if (name == "types.avsc")
                                              return ReadFile(InTree("tests/data/types/" + name));
                                            if (files.contains(name)) return files.at(name);
                                            return Status(StatusCode::kNotFound, name + ": No such file or directory");
                                          },
                                          [](const std::string& name) -> std::shared_ptr<const TimeZone> {
                                            if (name == "Test/Half") return std::make_shared<HalfZone>();
                                            if (name == "Test/Back") return std::make_shared<BackZone>();
                                            return nullptr;
                                          }};
  return environment;
}

std::shared_ptr<const Index> LoadIndex(const std::vector<std::string>& lines) {
  Diagnostics diagnostics;
  const std::vector<Mapping> mappings = Load({{"test.yaml", FileOf(lines)}}, &diagnostics, TestEnvironment());
  if (mappings.empty()) {
    std::cerr << diagnostics.Text();
    std::abort();
  }
  return mappings[0].indexes[0];
}

std::shared_ptr<const Index> TryLoadIndex(const std::vector<std::string>& lines) {
  Diagnostics diagnostics;
  const std::vector<Mapping> mappings = Load({{"test.yaml", FileOf(lines)}}, &diagnostics);
  return mappings.empty() ? nullptr : mappings[0].indexes[0];
}

std::string DiagnosticsOf(const std::vector<std::string>& lines) {
  Diagnostics diagnostics;
  Load({{"test.yaml", FileOf(lines)}}, &diagnostics);
  return diagnostics.Text();
}

TestCell::TestCell(const char* text) {
  std::string_view rest = text;
  const size_t equals = rest.find('=');
  const ColumnName column = SplitColumn(rest.substr(0, equals));
  rest.remove_prefix(equals + 1);
  const size_t at = rest.rfind('@');
  if (at != std::string_view::npos) timestamp = std::stoll(std::string(rest.substr(at + 1)));
  family = *Unescape(column.family);
  qualifier = *Unescape(column.qualifier);
  value = *Unescape(rest.substr(0, at));
}

std::vector<std::string> Entries(const Index& index, std::string_view row, const std::vector<TestCell>& cells) {
  std::vector<VisibleCell> visible;
  for (const TestCell& cell : cells) visible.push_back({cell.family, cell.qualifier, cell.timestamp, cell.value});
  EntryList entries;
  std::vector<Unmappable> problems;
  index.Derive({row, visible}, &entries, &problems);
  std::vector<std::string> out;
  for (size_t i = 0; i < entries.size(); ++i) {
    const Entry entry = entries[i];
    out.push_back(Escape(entry.row) + " " + ColumnText(entry.family, entry.qualifier) + "=" + Escape(entry.value));
  }
  for (const Unmappable& problem : problems) out.push_back("! " + problem.reason);
  return out;
}

std::optional<Template> CompileSteps(const std::string& steps, std::string* diagnostics) {
  static const std::shared_ptr<const ProtoSchemas> schemas = VisitorSchemas();
  Diagnostics reports;
  const MappingText file{"test", ""};
  Reporter reporter(file, &reports);
  TemplateCompiler compiler(&reporter, {&TestEnvironment(), schemas, nullptr, OrderSchemas()});
  Node node;
  node.kind = Node::Kind::kText;
  node.quote = Quote::kSingle;
  node.text = "{row " + steps + "}";
  std::optional<Template> program = compiler.CompileAnyType(node);
  if (diagnostics != nullptr) *diagnostics = reports.Text();
  return program;
}

std::string RunSteps(const std::string& steps, std::string_view input) {
  std::string diagnostics;
  const std::optional<Template> program = CompileSteps(steps, &diagnostics);
  if (!program) return diagnostics;
  Scratch scratch;
  Inputs inputs;
  inputs.row = input;
  const Part& part = program->parts[0];
  Value value;
  switch (RunPart(part, inputs, &scratch, &value)) {
    case Outcome::kValue:
      return part.shape.type == Type::kList ? Joined(*value.list) : EscapeAscii(value.bytes);
    case Outcome::kAbsent:
      return "absent";
    case Outcome::kUnmappable:
      return "unmappable: " + scratch.reason;
  }
  return "";
}

std::string InTree(const std::string& path) {
  const char* root = std::getenv("FENSI_ROOT");
  return std::string(root != nullptr ? root : ".") + "/" + path;
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace fensi::mapping
