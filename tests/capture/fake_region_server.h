// A region server's end of a connection, blocking, over a plain socket.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/capture/hbase_bytes.h"

namespace fensi::capture {

class FakeRegionServer {
 public:
  explicit FakeRegionServer(uint16_t port);
  ~FakeRegionServer();
  FakeRegionServer(const FakeRegionServer&) = delete;
  FakeRegionServer& operator=(const FakeRegionServer&) = delete;

  /// False when the other side has closed.
  bool Send(const std::string& bytes);
  /// As Send; false, too, when the other side does not take all of it for that long.
  bool SendWithin(const std::string& bytes, std::chrono::milliseconds patience);
  void Greet() { Send(PreambleBytes() + ConnectionHeaderBytes()); }
  void SendCall(uint32_t call_id, const std::vector<Entry>& entries) { Send(CallBytes(call_id, entries)); }

  struct Reply {
    bool closed = false;  // the other side closed instead
    uint32_t call_id = 0;
    bool failed = false;
    std::string text;  // class and message of an exception
  };
  /// Waits for it, up to a minute.
  Reply Receive();
  /// Nothing arrives for that long.
  bool IsSilentFor(int milliseconds);
  void Close();

 private:
  bool ReadExactly(size_t count, std::string* bytes);
  int socket_ = -1;
};

}  // namespace fensi::capture
