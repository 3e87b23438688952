// Requests to the owner of a source row's partition: an image, with what a scan read, and a recheck, to read the row
// again after a comparison of index and source. Requests are in a topic of their own beside the change stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/cell.h"
#include "base/status.h"

namespace fensi::consumer {

// Limits for requests, so that each of them fits into its topic whatever names and values a row has.

/// Maximum size of a request besides its cells, suspects and all columns but one: the row twice, because it is the key,
/// too, names, and Kafka's overhead.
inline constexpr size_t kRequestRoom = 100'000;
/// Maximum overhead of a cell, a suspect or a column in a request.
inline constexpr size_t kRequestPieceRoom = 64;
/// Minimum message size that a topic of requests must accept: then one suspect fits, whatever its names are.
inline constexpr size_t kLeastRequestBytes = 200'000;

// A request to a partition owner: an image or a recheck.

/// A cell of the index that a comparison found different; without a family the whole row.
struct Suspect {
  std::string table;
  std::string row;
  std::string family;
  std::string qualifier;
  int64_t timestamp = 0;
  bool operator==(const Suspect&) const = default;
};

struct RequestedColumn {
  std::string family;
  std::string qualifier;
  bool operator==(const RequestedColumn&) const = default;
};

/// Maximum suspects or columns of one request; more make further requests.
inline constexpr size_t kMostOfARequest = 1'000;
/// Digits of the random name that an index gets when it is created.
inline constexpr size_t kIncarnationDigits = 16;
inline constexpr size_t kMostJobBytes = 255;

struct Request {
  enum class Kind {
    kImage,    // cells that a raw read of the row showed
    kRecheck,  // the row is to be read and its entries rewritten, whatever the states say
  };
  Kind kind = Kind::kImage;
  std::string table;  // source table
  std::string row;
  std::string incarnation;  // of the index, lower-case hexadecimal
  std::string job;          // name of the job, in printable ASCII; empty: none
  // For an image.
  std::vector<Cell> cells;
  int64_t read_time = 0;  // milliseconds since the epoch before the read
  bool partial = false;   // the row has more cells
  // For a recheck.
  std::vector<Suspect> suspects;
  std::vector<RequestedColumn> columns;  // empty: the whole row
  bool operator==(const Request&) const = default;
};

/// True for printable ASCII without blanks, as names in messages are; also for the empty text.
bool IsPrintable(std::string_view text);

/// kInvalidArgument names what is impossible or above its bound.
Status CheckRequest(const Request& request);

// Encodes and decodes Request as proto::ChangeEvent, the form of messages in a topic of requests. Pure, any thread.

/// Version of proto::ChangeEvent that carries requests: a reader of change streams that does not know requests refuses
/// it.
inline constexpr uint32_t kRequestVersion = 2;

/// The bytes of a message's value; its key is request.row. The request passes CheckRequest.
std::string EncodeRequest(const Request& request);

/// True if the bytes are a message of a kind of request, valid or not.
bool IsRequest(std::string_view value);

/// kInvalidArgument: not a message, another version or kind, a key that is not the row, or a request that CheckRequest
/// refuses. Malicious bytes may be parsed into a hundred times their size before they are refused; the topic's largest
/// message bounds them.
Result<Request> DecodeRequest(std::string_view key, std::string_view value);

}  // namespace fensi::consumer
