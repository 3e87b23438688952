#include "operations/console/console.h"

#include <string>

namespace fensi::operations {
namespace {

/// The console of a process without output.
class NoConsole final : public Console {
 public:
  void Print(std::string_view) override {}
  void Say(std::string_view) override {}
  void Diagnose(std::string_view) override {}
  Status Flush() override { return {}; }
  bool MayDraw() const override { return false; }
  void Draw(std::string_view) override {}
  void Erase() override {}
  void WriteAbove(std::string_view) override {}
};

NoConsole none;
Console* of_process = &none;

}  // namespace

void UseConsole(Console* console) { of_process = console == nullptr ? &none : console; }

void Print(std::string_view text) { of_process->Print(text); }

void Say(std::string_view text) { of_process->Say(text); }

void SayDryRun(std::string_view command, std::string_view purpose, std::string_view more) {
  Say(std::string(command) + ": dry run, nothing was changed. Run the same command with --execute to " +
      std::string(purpose) + "." + (more.empty() ? "" : " ") + std::string(more));
}

void Diagnose(std::string_view text) { of_process->Diagnose(text); }

Status FinishOutput() { return of_process->Flush(); }

bool MayDraw() { return of_process->MayDraw(); }

void DrawProgress(std::string_view line) { of_process->Draw(line); }

void ClearProgress() { of_process->Erase(); }

void WriteAbove(std::string_view line) { of_process->WriteAbove(line); }

}  // namespace fensi::operations
