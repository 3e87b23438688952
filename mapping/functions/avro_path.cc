#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/text.h"
#include "mapping/functions/avro_schemas.h"
#include "mapping/functions/json_text.h"

namespace fensi::mapping {
namespace {

constexpr size_t kMostSteps = 100;
constexpr size_t kMostNodes = 2'000;   // with branches; a path through many unions has many
constexpr size_t kMostTried = 20'000;  // types at a step of the path
constexpr size_t kMostOfAFile = 1'000'000;
constexpr size_t kMostHinted = 1'000;  // names among which a similar one is looked for

using Node = AvroPath::Node;

std::string WordOf(const JsonStep& step) { return step.name ? *step.name : std::to_string(*step.position); }

std::string NoSuchField(const AvroType& record, const std::string& name) {
  std::vector<std::string_view> names;
  for (const AvroType::Field& field : record.fields) {
    if (names.size() < kMostHinted) names.push_back(field.name);
  }
  if (names.empty()) return "a path that ends before " + record.name + ", which has no field: name another value";
  const std::vector<std::string> hint = Suggest(name, names);
  return "a path in " + record.name + ", which has no field '" + name + "'" +
         (hint.empty() ? " (it has " + OneOf(names) + ")" : "; " + hint.front());
}

constexpr std::string_view kLeadsToNull =
    "a path to a value, and this path leads to null: name another branch or field";

std::string EndsTooEarly(const AvroType& type) {
  if (type.kind == AvroKind::kArray) return "a path that continues after the array with a position, such as 'tags.0'";
  if (type.kind == AvroKind::kMap) return "a path that continues after the map with a key, such as 'attributes.color'";
  if (type.kind == AvroKind::kNull) return std::string(kLeadsToNull);
  std::vector<std::string_view> names;
  for (const AvroType::Field& field : type.fields) names.push_back(field.name);
  if (names.empty()) return "a path to a value, and " + type.name + " has no field: name another value";
  return "a path that continues after the record " + type.name + " with " + OneOf(names);
}

/// The branches that a word names: that of exactly this name, or all whose name without a namespace it is.
std::vector<const AvroType*> BranchesNamed(const AvroType& type, const std::string& word) {
  std::vector<const AvroType*> named;
  for (const AvroType* branch : type.inner) {
    if (branch->name == word) return {branch};
    if (branch->name.ends_with("." + word)) named.push_back(branch);
  }
  return named;
}

std::string NamesOf(const std::vector<const AvroType*>& types, std::string_view before, std::string_view after) {
  std::vector<std::string> quoted;
  for (const AvroType* type : types) {
    if (quoted.size() < 10) quoted.push_back(std::string(before) + type->name + std::string(after));
  }
  return OneOf(std::vector<std::string_view>(quoted.begin(), quoted.end()));
}

class Resolver {
 public:
  Resolver(AvroPath* path, std::span<const JsonStep> steps) : path_(*path), steps_(steps) {}

  const std::string& problem() const { return problem_; }
  size_t cost() const { return entered_.size() + count_; }

  /// From a value of this type on; null: nothing can be there. Recursion is twice as deep as the path has steps.
  const Node* Enter(const AvroType& type, size_t step) {
    if (full_) return nullptr;
    const auto known = entered_.find({&type, step});
    if (known != entered_.end())
      return known->second.node != nullptr ? known->second.node : Fail(known->second.problem);
    if (entered_.size() == kMostTried) {
      return FailForAll("a path that leads through at most " + std::to_string(kMostTried) +
                        " types: name branches of unions in the path");
    }
    const std::string before = std::exchange(problem_, "");
    const Node* const node = type.kind == AvroKind::kUnion ? EnterUnion(type, step) : EnterOne(type, step);
    entered_[{&type, step}] = {node, problem_};
    if (!before.empty() && !full_) problem_ = before;
    return node;
  }

 private:
  struct Entered {
    const Node* node = nullptr;
    std::string problem;  // why there is none
  };

  const Node* Fail(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
    return nullptr;
  }

  const Node* FailForAll(std::string problem) {
    if (!full_) problem_ = std::move(problem);
    full_ = true;
    return nullptr;
  }

  Node* NewNode(const AvroType& type) {
    count_ += 1 + (type.kind == AvroKind::kUnion ? type.inner.size() : 0);
    if (count_ > kMostNodes) {
      FailForAll("a path that leads through at most " + std::to_string(kMostNodes) +
                 " types and branches of unions: name branches of unions in the path");
    }
    path_.nodes.push_back({.type = &type});
    return &path_.nodes.back();
  }

  const Node* EnterOne(const AvroType& type, size_t step) {
    if (step == steps_.size()) return TakeValue(type);
    switch (type.kind) {
      case AvroKind::kRecord:
        return EnterRecord(type, step);
      case AvroKind::kArray:
        return EnterArray(type, step);
      case AvroKind::kMap:
        return EnterMap(type, step);
      default:
        return Fail("a path that ends at the " + type.name + ": remove '" + WordOf(steps_[step]) +
                    "' and the rest of the path");
    }
  }

  const Node* TakeValue(const AvroType& type) {
    if (type.kind == AvroKind::kNull || type.kind >= AvroKind::kRecord) return Fail(EndsTooEarly(type));
    const bool whole = type.kind == AvroKind::kInt || type.kind == AvroKind::kLong;
    const Type given = whole ? Type::kInteger : Type::kBytes;
    if (taken_ && *taken_ != given) {
      return FailForAll(
          "a path to values of one type. This path leads to a union with branches of integers (int, long) and branches "
          "of bytes (all other types). Add the type of one branch as the next step of the path, such as value.long");
    }
    taken_ = given;
    path_.type = given;
    return NewNode(type);
  }

  const Node* EnterRecord(const AvroType& type, size_t step) {
    const std::string name = WordOf(steps_[step]);
    for (size_t i = 0; i < type.fields.size(); ++i) {
      if (type.fields[i].name != name) continue;
      return Lead(type, *type.fields[i].type, step, [i](Node* node) { node->position = i; });
    }
    return Fail(NoSuchField(type, name));
  }

  const Node* EnterArray(const AvroType& type, size_t step) {
    const std::optional<size_t> position = steps_[step].position;
    if (!position || *position >= 1'000'000) {
      return Fail("a path that continues after the array with a position, such as 0, and not with '" +
                  WordOf(steps_[step]) + "'");
    }
    return Lead(type, *type.inner[0], step, [&](Node* node) { node->position = *position; });
  }

  const Node* EnterMap(const AvroType& type, size_t step) {
    return Lead(type, *type.inner[0], step, [&](Node* node) { node->key = WordOf(steps_[step]); });
  }

  template <typename Fill>
  const Node* Lead(const AvroType& type, const AvroType& inner, size_t step, const Fill& fill) {
    const Node* const next = Enter(inner, step + 1);
    if (next == nullptr) return nullptr;
    Node* const node = NewNode(type);
    node->next = next;
    fill(node);
    return node;
  }

  // The branch that the step names, as in Avro's JSON. Otherwise all branches that have the path.
  const Node* EnterUnion(const AvroType& type, size_t step) {
    std::string problem;
    if (step < steps_.size()) {
      const std::string word = WordOf(steps_[step]);
      const std::vector<const AvroType*> named = BranchesNamed(type, word);
      if (named.size() > 1) {
        return FailForAll("a path with the whole name of a branch, " + NamesOf(named, "[\"", "\"]") + ", because '" +
                          word + "' is the end of several");
      }
      const Node* const found = named.empty() ? nullptr : Branches(type, [&](const AvroType& branch) {
        return &branch == named[0] ? Enter(branch, step + 1) : nullptr;
      });
      if (found != nullptr) return found;
      if (full_) return nullptr;
      problem = std::exchange(problem_, "");
    }
    const Node* const found = Branches(
        type, [&](const AvroType& branch) { return branch.kind == AvroKind::kNull ? nullptr : Enter(branch, step); });
    if (found != nullptr) {
      if (!full_) problem_.clear();
      return found;
    }
    if (full_) return nullptr;
    if (problem.empty() && step < steps_.size() && HoldsSingleValues(type)) {
      problem = "a path that continues after the union with a branch, " + NamesOf(type.inner, "", "") +
                ", and not with '" + WordOf(steps_[step]) + "'";
    }
    if (!problem.empty()) problem_ = problem;
    return Fail(std::string(kLeadsToNull));
  }

  static bool HoldsSingleValues(const AvroType& type) {
    return std::all_of(type.inner.begin(), type.inner.end(),
                       [](const AvroType* branch) { return branch->kind < AvroKind::kRecord; });
  }

  template <typename Into>
  const Node* Branches(const AvroType& type, const Into& into) {
    std::vector<const Node*> branches;
    bool any = false;
    for (const AvroType* branch : type.inner) {
      branches.push_back(into(*branch));
      any = any || branches.back() != nullptr;
    }
    if (!any || full_) return nullptr;
    Node* const node = NewNode(type);
    node->branches = std::move(branches);
    return node;
  }

  AvroPath& path_;
  const std::span<const JsonStep> steps_;
  std::map<std::pair<const AvroType*, size_t>, Entered> entered_;
  std::optional<Type> taken_;
  std::string problem_;  // the first that is left
  size_t count_ = 0;
  bool full_ = false;  // the problem is final
};

/// One spelling of a path: "tags.0" of "$.tags[0]".
std::string TextOfPath(std::span<const JsonStep> steps) {
  std::string text;
  for (const JsonStep& step : steps) {
    const std::string word = WordOf(step);
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
    text += plain ? (text.empty() ? "" : ".") + word : "[\"" + Escape(word) + "\"]";
  }
  return text;
}

}  // namespace

std::shared_ptr<const AvroPath> ResolveAvroPath(std::shared_ptr<const AvroSchemas> schemas, const AvroType* record,
                                                std::string_view path, std::string* problem) {
  const std::optional<JsonPath> steps = JsonPath::Parse(path, false, problem);
  if (!steps) return nullptr;
  if (steps->steps().size() > kMostSteps) {
    *problem = "a path of at most " + std::to_string(kMostSteps) + " steps";
    return nullptr;
  }
  if (schemas->CountPath(0) > kMostOfAFile) {
    *problem = "a shorter path, because all paths of the file may lead through at most " +
               std::to_string(kMostOfAFile) + " types and branches of unions together";
    return nullptr;
  }
  auto resolved = std::make_shared<AvroPath>();
  resolved->digest = schemas->DigestOf(*record);
  resolved->schemas = std::move(schemas);
  resolved->record = record;
  resolved->text = TextOfPath(steps->steps());
  Resolver resolver(resolved.get(), steps->steps());
  resolved->root = resolver.Enter(*record, 0);
  resolved->schemas->CountPath(resolver.cost());
  if (resolved->root != nullptr && resolver.problem().empty()) return resolved;
  *problem = resolver.problem();
  return nullptr;
}

}  // namespace fensi::mapping
