// Says what is wrong at a place of one mapping file. Knows the file's lines, so that nobody else has to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mapping/codes.h"
#include "mapping/diagnostics.h"
#include "mapping/environment.h"
#include "mapping/yaml/node.h"

namespace fensi::mapping {

/// Borrows the file's text and the diagnostics for its life.
class Reporter {
 public:
  Reporter(const MappingText& file, Diagnostics* diagnostics);

  /// Without hints, the message has the remedy of its code.
  void Report(Code code, const Place& place, std::string message, std::vector<std::string> hints = {});

  /// The place of `width` bytes at `offset` of a text node's value, as written in the file.
  Place Inside(const Node& node, size_t offset, size_t width) const;

  /// Line `number` (from 1) without its end; empty behind the last.
  std::string_view Line(int number) const;
  /// Without a byte order mark in front, which Windows writes: no line begins with it, and no column counts it.
  std::string_view text() const { return text_; }
  const std::string& path() const { return file_.path; }
  /// Errors reported through this reporter.
  size_t errors() const { return errors_; }

 private:
  size_t CharactersInFront(int line, size_t at);
  void AddRest(const Place& place);

  const MappingText& file_;
  const std::string_view text_;
  Diagnostics* const diagnostics_;
  std::vector<std::string_view> lines_;
  size_t errors_ = 0;
  size_t reported_ = 0;
  // Up to the last place that was reported: of one long line with many faults no byte is counted twice.
  struct {
    int line = 0;
    size_t bytes = 0;
    size_t characters = 0;
  } counted_;
};

}  // namespace fensi::mapping
