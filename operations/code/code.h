// Prints a program that reads one index: a source file of its own, without a library of ours.
//
// Most of it is a fixed text for each language (templates/). What differs is a table of the index's parts, made from
// mapping/reader_plan.h, and functions whose parameters have the names of the parts. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "mapping/index.h"
#include "mapping/reader_plan.h"

namespace fensi::operations {

struct CodeSettings {
  std::string package;  // of Java and Go, or the namespace of C++; empty: none, or the index's name
  std::string command;  // that makes the file again
};

/// kInvalidArgument: the language is unknown, or --package is none of it.
Result<std::string> CodeFor(const mapping::Index& index, std::string_view language, const CodeSettings& settings);

/// What all languages need of an index.
struct CodedIndex {
  const mapping::Index* index = nullptr;
  mapping::ReaderPlan plan;
  CodeSettings settings;
  std::vector<std::string> parameters;  // names of the key's parts as Java and Python write them, each once
};

std::string PythonCode(const CodedIndex& coded);
std::string JavaCode(const CodedIndex& coded);
/// Names of Java, joined by dots.
Status CheckJavaPackage(const std::string& package);
/// kInvalidArgument: the package is no word of Go.
Result<std::string> GoCode(const CodedIndex& coded);
std::string CppCode(const CodedIndex& coded);
/// Each name of the namespace is free in C++.
Status CheckCppPackage(const std::string& package);
/// "seller" gives "seller_part": a column may have the name of a word of C++, or of any macro.
std::vector<std::string> CppNames(const std::vector<std::string>& parameters);

/// Adds the name, with a number at its end if it is there already.
void AddUnique(const std::string& name, std::vector<std::string>* names);
/// Adds the name, with a number at its end if it is there already.
void AddUnique(const std::string& name, std::vector<std::string>* names);
/// The first parameters with a type in front of each: "Object seller, Object time"; or without types.
std::string ParameterList(const CodedIndex& coded, size_t count, std::string_view type);
/// "com.example" and "com::example" give {"com", "example"}.
std::vector<std::string> PackageNames(std::string_view package);
bool IsWordOfJava(std::string_view name);

/// The type's name in the table of parts: "BYTES".
std::string_view TypeWord(mapping::PlannedType type);
std::string_view InverseWord(mapping::PlannedStep::Inverse inverse);
std::string_view OrderWord(mapping::PlannedStep::Order order);
std::string_view KindWord(mapping::PlannedReference::Kind kind);
/// What a program gives for a part of the key, for people: "text or bytes".
std::string GivenText(const CodedIndex& coded, const mapping::PlannedKeyPart& part);
/// Bytes between quotes, as C, Go, Java and Python read them; others than letters and signs in octal digits.
std::string BytesLiteral(std::string_view bytes);
/// "{1, 2}" between "{" and "}".
std::string NumberList(std::string_view begin, const std::vector<size_t>& numbers, std::string_view end);
/// Each salt with its length in front, in two bytes. A row key is shorter than 32 KiB, and so is a salt.
std::string JoinedSalts(const std::vector<std::string>& salts);
/// Lines about the index, for the head of a file.
std::vector<std::string> HeadLines(const CodedIndex& coded);

struct CodeTemplate {
  std::string_view name;
  std::string_view text;
};
/// The fixed texts, by the names of their files.
std::span<const CodeTemplate> CodeTemplates();
std::string_view TemplateText(std::string_view name);

}  // namespace fensi::operations
