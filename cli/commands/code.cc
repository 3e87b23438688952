#include "operations/code/code.h"

#include "base/text.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/options/operations_options.h"
#include "cli/program/output.h"
#include "operations/alias/alias.h"
#include "operations/mappings/mapping_files.h"

namespace fensi::cli {
namespace {

Result<std::shared_ptr<const mapping::Index>> IndexOf(const std::vector<mapping::Mapping>& mappings,
                                                      const Arguments& arguments) {
  if (arguments.size() > 2) return operations::NamedIndex(mappings, arguments[2], ReadStoreOptions());
  FENSI_ASSIGN_OR_RETURN(const operations::Indexes indexes, operations::ChosenIndexes(mappings, {}));
  if (indexes.size() == 1) return indexes.front();
  std::vector<std::string> names;
  for (const auto& index : indexes) names.push_back(index->name());
  return InvalidArgument(arguments[1] + " has several indexes: name one of " + Joined(names));
}

Result<int> Code(const Arguments& arguments) {
  FENSI_ASSIGN_OR_RETURN(const std::vector<mapping::Mapping> mappings,
                         operations::LoadMappings({arguments[1]}, FLAGS_meta_table));
  FENSI_ASSIGN_OR_RETURN(const auto index, IndexOf(mappings, arguments));
  operations::CodeSettings settings{FLAGS_package,
                                    "fensi code " + arguments[0] + " " + arguments[1] + " " + index->name()};
  if (!FLAGS_package.empty()) settings.command += " --package " + FLAGS_package;
  FENSI_ASSIGN_OR_RETURN(const std::string code, operations::CodeFor(*index, arguments[0], settings));
  Print(code);
  return kExitDone;
}

}  // namespace

Command CodeCommand() {
  Command command;
  command.name = "code";
  command.summary = "print a program that reads an index";
  command.arguments = "java|python|go|cpp MAPPING [INDEX|@ALIAS]";
  command.min_arguments = 2;
  command.max_arguments = 3;
  command.description =
      "Prints a source file that reads one index, without a library of fensi: it encodes and decodes row keys, makes "
      "the ranges that 'fensi lookup --print_scan' shows, merges all salts, reads page by page, joins the source row, "
      "and checks what fensi_meta says of the index before. Java needs HBase's client, Python happybase, and keys "
      "need neither. For Go and C++ it has keys, ranges and columns, and your program scans. Its head names the index "
      "and the definition, and how to make it again. A part whose function "
      "the file cannot compute is given in its stored form, and the head says which. A mapping of one index needs no "
      "INDEX. 'fensi help reading' has complete programs.";
  command.flags = FlagUses("package store meta_table connect_timeout_s");
  command.examples = {{"fensi code python orders.yaml orders-by-buyer > orders_by_buyer.py", "for Python"},
                      {"fensi code java guanzhu.yaml --package com.example > Fensi.java", "for Java"},
                      {"fensi code go orders.yaml orders-by-buyer > ordersbybuyer/index.go", "for Go"},
                      {"fensi code cpp guanzhu.yaml > fensi_index.hpp", "for C++17"}};
  command.run = Code;
  return command;
}

}  // namespace fensi::cli
