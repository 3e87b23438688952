// The parts of pages that are made of tables in the code.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace fensi::testing {

/// A failure of the test unless `expected` stands between "<!-- NAME -->" and "<!-- end of NAME -->" of the page, which
/// is a path in the tree. With FENSI_ACCEPT=1 it is written there instead.
inline void ExpectSection(const std::string& page, const std::string& name, const std::string& expected) {
  const char* root = std::getenv("FENSI_ROOT");
  const std::string path = (root == nullptr ? "." : std::string(root)) + "/" + page;
  std::ostringstream read;
  read << std::ifstream(path, std::ios::binary).rdbuf();
  std::string text = std::move(read).str();
  const std::string begin = "<!-- " + name + " -->\n";
  const size_t from = text.find(begin), to = text.find("<!-- end of " + name + " -->");
  ASSERT_NE(from, std::string::npos) << name;
  ASSERT_NE(to, std::string::npos) << name;
  const size_t first = from + begin.size();
  const std::string found = text.substr(first, to - first);
  if (std::getenv("FENSI_ACCEPT") != nullptr) {
    std::ofstream(path, std::ios::binary) << text.replace(first, found.size(), expected);
  } else {
    EXPECT_EQ(found, expected) << "run this test with FENSI_ACCEPT=1 and look at the change";
  }
}

}  // namespace fensi::testing
