#include "consumer/file/unpacker.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <string>

namespace fensi::consumer {
namespace {

constexpr std::string_view kGzip = "\x1f\x8b";
constexpr std::string_view kZstd = "\x28\xb5\x2f\xfd";

Status Broken(const char* why) {
  return InvalidArgument(std::string("is broken, it cannot be unpacked (") + (why == nullptr ? "no reason" : why) +
                         ")");
}

class GzipUnpacker final : public Unpacker {
 public:
  GzipUnpacker() {
    constexpr int kGzipOnly = 16;
    begun_ = inflateInit2(&stream_, MAX_WBITS + kGzipOnly) == Z_OK;
  }
  ~GzipUnpacker() override {
    if (begun_) inflateEnd(&stream_);
  }
  GzipUnpacker(const GzipUnpacker&) = delete;
  GzipUnpacker& operator=(const GzipUnpacker&) = delete;

  Result<size_t> Unpack(std::string_view* packed, char* out, size_t room) override {
    if (!begun_) return Status(StatusCode::kInternal, "cannot be unpacked: out of memory");
    if (whole_ && !packed->empty()) {
      inflateReset(&stream_);
      whole_ = false;
    }
    const auto size = static_cast<uInt>(std::min<size_t>(packed->size(), std::numeric_limits<uInt>::max()));
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed->data()));
    stream_.avail_in = size;
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(room);
    const int outcome = inflate(&stream_, Z_NO_FLUSH);
    packed->remove_prefix(size - stream_.avail_in);
    whole_ = outcome == Z_STREAM_END;
    const bool good = outcome == Z_OK || outcome == Z_STREAM_END || outcome == Z_BUF_ERROR;
    return good ? Result<size_t>(room - stream_.avail_out) : Broken(stream_.msg);
  }
  bool whole() const override { return whole_; }

 private:
  z_stream stream_{};
  bool begun_ = false;
  bool whole_ = false;
};

class ZstdUnpacker final : public Unpacker {
 public:
  Result<size_t> Unpack(std::string_view* packed, char* out, size_t room) override {
    if (stream_ == nullptr) return Status(StatusCode::kInternal, "cannot be unpacked: out of memory");
    ZSTD_inBuffer in{packed->data(), packed->size(), 0};
    ZSTD_outBuffer made{out, room, 0};
    const size_t outcome = ZSTD_decompressStream(stream_.get(), &made, &in);
    if (ZSTD_isError(outcome) != 0) return Broken(ZSTD_getErrorName(outcome));
    packed->remove_prefix(in.pos);
    if (in.pos + made.pos > 0) whole_ = outcome == 0;
    return made.pos;
  }
  bool whole() const override { return whole_; }

 private:
  struct Free {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };

  const std::unique_ptr<ZSTD_DStream, Free> stream_{ZSTD_createDStream()};
  bool whole_ = false;
};

}  // namespace

std::unique_ptr<Unpacker> Unpacker::For(std::string_view begin) {
  if (begin.starts_with(kGzip)) return std::make_unique<GzipUnpacker>();
  if (begin.starts_with(kZstd)) return std::make_unique<ZstdUnpacker>();
  return nullptr;
}

}  // namespace fensi::consumer
