// A transport whose other side is a text: what is read comes from it, in slices, and what is written is kept.
#pragma once

#include <thrift/transport/TTransportException.h>
#include <thrift/transport/TVirtualTransport.h>

#include <algorithm>
#include <cstring>
#include <string>

namespace fensi::store {

class ScriptedBytes final : public apache::thrift::transport::TVirtualTransport<ScriptedBytes> {
 public:
  explicit ScriptedBytes(std::string answers, size_t slice = SIZE_MAX) : answers_(std::move(answers)), slice_(slice) {}

  bool isOpen() const override { return true; }
  uint32_t read(uint8_t* buffer, uint32_t length) {
    const size_t count = std::min({size_t{length}, slice_, answers_.size() - read_});
    if (count == 0) {
      using apache::thrift::transport::TTransportException;
      throw TTransportException(TTransportException::END_OF_FILE, "the other side closed the connection");
    }
    std::memcpy(buffer, answers_.data() + read_, count);
    read_ += count;
    return static_cast<uint32_t>(count);
  }
  void write(const uint8_t* buffer, uint32_t length) { written_.append(reinterpret_cast<const char*>(buffer), length); }

  const std::string& written() const { return written_; }
  /// How much of the text was read.
  size_t was_read() const { return read_; }
  void Answer(const std::string& more) { answers_ += more; }

 private:
  std::string answers_;
  const size_t slice_;
  size_t read_ = 0;
  std::string written_;
};

}  // namespace fensi::store
