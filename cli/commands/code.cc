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
  return InvalidArgument("INDEX is missing, and mapping file " + arguments[1] +
                         " has several indexes: write 'fensi code " + arguments[0] + " " + arguments[1] +
                         " INDEX' with one of " + Joined(names));
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
  command.summary = "print source code that reads an index";
  command.arguments = "java|python|go|cpp MAPPING [INDEX|@ALIAS]";
  command.min_arguments = 2;
  command.max_arguments = 3;
  command.description =
      "Prints a source file that reads one index. The source file needs no library of fensi. The source file encodes "
      "and decodes row keys, and computes the key ranges that 'fensi lookup --print_scan' shows. The source file has "
      "no function for a lookup in an area (--near and --box of 'fensi lookup').\n\n"
      "A file for Java or Python also has functions that read an index page by page, merge the salts, and read the "
      "source rows. Before such a function reads the index, it reads the state of the index in the table "
      "fensi_meta. A "
      "Java file needs HBase's client, and a Python file needs happybase. A file for Go or C++ has only keys, key "
      "ranges and columns. A Go or C++ program must scan the table itself.\n\n"
      "The head of the file names the index, its definition, and the command that makes the file again. If the "
      "generated code cannot compute a key part from your value, you must give the key part in its stored form. The "
      "head of the file names the key parts that need the stored form. If the mapping file has only one index, you "
      "can leave out INDEX. 'fensi help reading' shows complete programs.";
  command.flags = FlagUses("package store meta_table connect_timeout_s");
  command.examples = {
      {"fensi code python orders.yaml orders-by-buyer > orders_by_buyer.py", "prints a file for Python"},
      {"fensi code java guanzhu.yaml --package com.example > Fensi.java", "prints a file for Java"},
      {"fensi code go orders.yaml orders-by-buyer > ordersbybuyer/index.go", "prints a file for Go"},
      {"fensi code cpp guanzhu.yaml > fensi_index.hpp", "prints a file for C++17"}};
  command.run = Code;
  return command;
}

}  // namespace fensi::cli
