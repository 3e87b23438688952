// What a person may change through an admin server that allows it. `fensi run` implements it.
#pragma once

#include <functional>
#include <string>

namespace fensi::admin {

struct Wish {
  enum class Kind { kPause, kResume, kReload };
  Kind kind = Kind::kPause;
  std::string index;   // of a pause and its end
  std::string reason;  // of a pause; whatever bytes a client sent
};

struct Verdict {
  int status = 200;
  std::string body;  // a JSON object
};

class Control {
 public:
  using Done = std::function<void(Verdict)>;
  virtual ~Control() = default;
  /// On the server's thread, which serves nobody else meanwhile: returns at once. `done` is called once, on any thread,
  /// also when the server has gone; or never, when this object goes.
  virtual void Carry(Wish wish, Done done) = 0;
};

}  // namespace fensi::admin
