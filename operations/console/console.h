// The output of operations and daemons for a person: data, messages and progress. The caller provides the destination.
//
// Thread-safe line by line if the console is; blocks while it does.
#pragma once

#include <string_view>

#include "base/status.h"

namespace fensi::operations {

class Console {
 public:
  virtual ~Console() = default;

  /// Writes data unchanged.
  virtual void Print(std::string_view text) = 0;
  /// Writes a message of one line, or of several lines that belong together.
  virtual void Say(std::string_view text) = 0;
  /// Writes mapping::Diagnostics of mapping files: several lines with their ends.
  virtual void Diagnose(std::string_view text) = 0;
  /// Flushes the data; an error if some of it could not be written.
  virtual Status Flush() = 0;
  /// True if messages go to a terminal, so that progress may be drawn over itself.
  virtual bool MayDraw() const = 0;
  /// Draws `line` over the last one drawn.
  virtual void Draw(std::string_view line) = 0;
  /// Removes the drawn line.
  virtual void Erase() = 0;
  /// Writes a line with its end, unchanged, above the drawn line.
  virtual void WriteAbove(std::string_view line) = 0;
};

/// Sets the console of the functions below from now on: `console` outlives the process's work. Null: none, as at the
/// start. Call it before any thread starts.
void UseConsole(Console* console);

void Print(std::string_view text);
void Say(std::string_view text);
/// Says that a command only showed its plan: "drop: dry run, nothing was changed. Run the same command with --execute
/// to drop the index. This cannot be undone." `purpose`: what comes after "to "; `more`: further sentences.
void SayDryRun(std::string_view command, std::string_view purpose, std::string_view more = {});
void Diagnose(std::string_view text);
Status FinishOutput();
bool MayDraw();
void DrawProgress(std::string_view line);
void ClearProgress();
void WriteAbove(std::string_view line);

}  // namespace fensi::operations
