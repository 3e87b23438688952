// What an admin server shows. `fensi run` and `fensi capture` implement it.
//
// Called on the server's thread, which serves nobody else meanwhile: each answers at once, from copies, and waits for
// no worker and no server. None of them tells a row key, a value or a secret.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "metrics/snapshot.h"

namespace fensi::admin {

/// What a person may change through an admin server that allows it. `fensi run` implements it.
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

// What an admin server shows. `fensi run` and `fensi capture` implement it.
//
// Called on the server's thread, which serves nobody else meanwhile: each answers at once, from copies, and waits for
// no worker and no server. None of them tells a row key, a value or a secret.

struct Check {
  std::string name;
  std::string fault;        // empty: it is as it should be
  bool only_shown = false;  // its fault does not count
};

class StatusSource {
 public:
  virtual ~StatusSource() = default;
  virtual void Collect(metrics::Snapshot* snapshot) const = 0;
  /// A JSON object each.
  virtual std::string Status() const = 0;
  virtual std::string Version() const = 0;
  /// What became of the indexes in the last minutes.
  virtual std::string History() const = 0;
  /// The flags that count and where they come from, as a file of flags, without secrets.
  virtual std::string Flags() const = 0;
  /// What a restart would cure, and nothing else.
  virtual std::vector<Check> Health() const = 0;
  /// What must be before there is work to wait for.
  virtual std::vector<Check> Readiness() const = 0;
};

}  // namespace fensi::admin
