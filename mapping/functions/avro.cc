// Functions that look into packed values: Avro's binary encoding.
//
// The decoder is fensi's own. avro-c and avro-cpp build every value of a record, allocate what its counts claim, and
// recurse as deep as it asks: they trust its writer. A cell may hold anything. This decoder allocates nothing but the
// digits of a float, reads each byte once, and has a limit for everything that a value claims without bytes.
#include <algorithm>
#include <bit>
#include <climits>
#include <cmath>
#include <optional>
#include <string>

#include "mapping/functions/avro_schemas.h"
#include "mapping/functions/function.h"

namespace fensi::mapping {
namespace {

using Node = AvroPath::Node;

constexpr int kMostDepth = 1000;         // records, arrays and maps inside each other
constexpr int64_t kMostItems = INT_MAX;  // of an array or a map: what Java can hold
// Records, arrays, maps and unions that are entered. A value of 32 MiB enters fewer, unless records of one field nest.
constexpr size_t kMostSteps = 40'000'000;

/// As `real` reads it.
template <typename Number>
std::string_view Digits(Number number, Scratch* scratch) {
  if (std::isinf(number)) return number > 0 ? "Infinity" : "-Infinity";
  if (std::isnan(number)) return "NaN";
  return scratch->KeepDigits(number);
}

/// Reads one value front to back. Methods answer false after the first fault.
class AvroReader {
 public:
  AvroReader(std::string_view bytes, Scratch* scratch) : bytes_(bytes), scratch_(scratch) {}

  bool Read(const Node& root, Value* out) {
    out_ = out;
    if (!Take(root)) return false;
    return at_ == bytes_.size() || Fail("bytes are left after the record");
  }

  bool found() const { return found_; }
  const std::string& fault() const { return fault_; }
  size_t at() const { return at_; }

 private:
  struct Block {
    int64_t count = 0;
    std::optional<size_t> end;  // if its size is written
  };

  bool Fail(std::string fault) {
    fault_ = std::move(fault);
    return false;
  }

  size_t left() const { return bytes_.size() - at_; }

  /// Zigzag, seven bits a byte, lowest first.
  bool Long(int64_t* out) {
    uint64_t bits = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (left() == 0) return Fail("the bytes end too early");
      const auto byte = static_cast<unsigned char>(bytes_[at_++]);
      if (shift == 63 && byte > 1) break;
      bits |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte >= 0x80) continue;
      *out = static_cast<int64_t>(bits >> 1) ^ -static_cast<int64_t>(bits & 1);
      return true;
    }
    return Fail("a number has more than 64 bits");
  }

  bool Int(int64_t* out) {
    return Long(out) && ((*out >= INT_MIN && *out <= INT_MAX) || Fail("an int has more than 32 bits"));
  }

  bool Raw(size_t size, std::string_view* out) {
    if (size > left()) return Fail("the bytes end too early");
    *out = bytes_.substr(at_, size);
    at_ += size;
    return true;
  }

  bool Bytes(std::string_view* out) {
    int64_t size = 0;
    if (!Long(&size)) return false;
    if (size < 0) return Fail("a length is negative");
    return Raw(static_cast<size_t>(size), out);
  }

  /// A number below `size`.
  bool Choice(size_t size, const char* what, size_t* out) {
    int64_t choice = 0;
    if (!Long(&choice)) return false;
    if (choice < 0 || static_cast<uint64_t>(choice) >= size) {
      return Fail(what + (" has no number " + std::to_string(choice)));
    }
    *out = static_cast<size_t>(choice);
    return true;
  }

  /// The head of the next block, after `seen` items; a count of 0 ends. Items that are not empty take a byte at least.
  bool Next(bool empty, int64_t seen, Block* block) {
    *block = Block();
    if (!Long(&block->count) || block->count == 0) return block->count == 0 && fault_.empty();
    if (block->count < 0) {
      if (block->count < -kMostItems) return Fail("a block has too many items");
      block->count = -block->count;
      int64_t size = 0;
      if (!Long(&size)) return false;
      if (size < 0) return Fail("the size of a block is negative");
      if (static_cast<uint64_t>(size) > left()) return Fail("the bytes end too early");
      block->end = at_ + static_cast<size_t>(size);
    }
    if (block->count > kMostItems - seen) return Fail("a block has too many items");
    if (!empty && static_cast<uint64_t>(block->count) > left()) return Fail("the bytes end too early");
    return true;
  }

  bool Ends(const Block& block) {
    return !block.end || *block.end == at_ || Fail("a block does not have the size that it names");
  }

  /// `wanted` is null: no item is.
  bool Items(const AvroType& type, const Node* wanted) {
    const AvroType& items = *type.inner[0];
    const auto position = static_cast<int64_t>(wanted != nullptr ? wanted->position : 0);
    Block block;
    for (int64_t seen = 0; Next(items.empty, seen, &block); seen += block.count) {
      if (block.count == 0) return true;
      const bool here = wanted != nullptr && position >= seen && position - seen < block.count;
      if (items.empty && here && !Take(*wanted->next)) return false;
      for (int64_t i = 0; !items.empty && i < block.count; ++i) {
        if (!(here && seen + i == position ? Take(*wanted->next) : Skip(items))) return false;
      }
      if (!Ends(block)) return false;
    }
    return false;
  }

  /// Of several values of one key the last counts, as in a map of Java.
  bool Entries(const AvroType& type, const Node* wanted) {
    const AvroType& values = *type.inner[0];
    Block block;
    for (int64_t seen = 0; Next(false, seen, &block); seen += block.count) {
      if (block.count == 0) return true;
      for (int64_t i = 0; i < block.count; ++i) {
        std::string_view key;
        if (!Bytes(&key)) return false;
        const bool here = wanted != nullptr && key == wanted->key;
        if (here) found_ = false;
        if (!(here ? Take(*wanted->next) : Skip(values))) return false;
      }
      if (!Ends(block)) return false;
    }
    return false;
  }

  bool Fields(const AvroType& type, const Node* wanted) {
    bool taken = wanted == nullptr;
    for (const size_t i : type.solid) {
      const bool here = !taken && i == wanted->position;
      taken = taken || here;
      if (!(here ? Take(*wanted->next) : Skip(*type.fields[i].type))) return false;
    }
    return taken || Take(*wanted->next);  // a field without bytes
  }

  bool Branch(const AvroType& type, const Node* wanted) {
    size_t branch = 0;
    if (!Choice(type.inner.size(), "a union", &branch)) return false;
    const Node* const next = wanted != nullptr ? wanted->branches[branch] : nullptr;
    return next != nullptr ? Take(*next) : Skip(*type.inner[branch]);
  }

  /// Of a type that holds others.
  bool Inside(const AvroType& type, const Node* wanted) {
    if (++steps_ > kMostSteps) return Fail("the record takes too many steps to read");
    if (type.kind == AvroKind::kUnion) return Branch(type, wanted);
    if (depth_ == kMostDepth) return Fail("the record is nested deeper than " + std::to_string(kMostDepth));
    ++depth_;
    const bool read = type.kind == AvroKind::kRecord  ? Fields(type, wanted)
                      : type.kind == AvroKind::kArray ? Items(type, wanted)
                                                      : Entries(type, wanted);
    --depth_;
    return read;
  }

  bool Take(const Node& node) {
    if (node.type->kind >= AvroKind::kRecord) return Inside(*node.type, &node);
    found_ = true;
    return Scalar(*node.type, out_);
  }

  bool Skip(const AvroType& type) {
    if (type.empty) return true;
    if (type.kind >= AvroKind::kRecord) return Inside(type, nullptr);
    if (type.kind != AvroKind::kFloat && type.kind != AvroKind::kDouble) return Scalar(type, &unused_);
    return Raw(type.kind == AvroKind::kFloat ? 4 : 8, &unused_.bytes);
  }

  bool Scalar(const AvroType& type, Value* out) {
    switch (type.kind) {
      case AvroKind::kBoolean:
        return Boolean(out);
      case AvroKind::kInt:
        return Int(&out->number);
      case AvroKind::kLong:
        return Long(&out->number);
      case AvroKind::kFloat:
        return Real<float, uint32_t>(out);
      case AvroKind::kDouble:
        return Real<double, uint64_t>(out);
      case AvroKind::kFixed:
        return Raw(type.size, &out->bytes);
      case AvroKind::kEnum:
        return Symbol(type, out);
      default:
        return Bytes(&out->bytes);
    }
  }

  bool Boolean(Value* out) {
    if (!Raw(1, &out->bytes)) return false;
    const char byte = out->bytes[0];
    if (byte != 0 && byte != 1) return Fail("a boolean is neither 0 nor 1");
    out->bytes = byte == 1 ? "true" : "false";
    return true;
  }

  bool Symbol(const AvroType& type, Value* out) {
    size_t symbol = 0;
    if (!Choice(type.symbols.size(), "an enum", &symbol)) return false;
    out->bytes = type.symbols[symbol];
    return true;
  }

  /// IEEE 754, the lowest byte first.
  template <typename Number, typename Bits>
  bool Real(Value* out) {
    std::string_view raw;
    if (!Raw(sizeof(Bits), &raw)) return false;
    Bits bits = 0;
    for (size_t i = sizeof(Bits); i-- > 0;) bits = static_cast<Bits>(bits << 8 | static_cast<unsigned char>(raw[i]));
    out->bytes = Digits(std::bit_cast<Number>(bits), scratch_);
    return true;
  }

  const std::string_view bytes_;
  Scratch* const scratch_;
  Value* out_ = nullptr;
  Value unused_;
  size_t at_ = 0;
  size_t steps_ = 0;
  int depth_ = 0;
  bool found_ = false;
  std::string fault_;
};

Outcome ReadRecord(const AvroPath& path, std::string_view framed, size_t frame, Value* v, Scratch* scratch) {
  AvroReader reader(framed.substr(frame), scratch);
  if (reader.Read(*path.root, v)) return reader.found() ? Outcome::kValue : Outcome::kAbsent;
  return Refuse(scratch, Shown(framed) + " is not an Avro record " + path.record->name + ": " + reader.fault() +
                             ", at byte " + std::to_string(frame + reader.at()));
}

Outcome Avro(const Arguments& a, Value* v, Scratch* scratch) {
  const std::string_view whole = v->bytes;
  return ReadRecord(*a[1].avro, whole, 0, v, scratch);
}

/// Confluent's frame: a zero byte, and the schema's number in four bytes.
Outcome AvroFramed(const Arguments& a, Value* v, Scratch* scratch) {
  constexpr size_t kFrame = 5;
  const std::string_view whole = v->bytes;
  if (whole.size() < kFrame || whole[0] != 0) {
    return Refuse(scratch, Shown(whole) + " does not begin with a zero byte and the four bytes of a schema's id");
  }
  uint32_t id = 0;
  for (size_t i = 1; i < kFrame; ++i) id = id << 8 | static_cast<unsigned char>(whole[i]);
  if (id != static_cast<uint64_t>(a[0].number)) {
    return Refuse(scratch, "the record has the schema id " + std::to_string(id) +
                               ", and the mapping file reads only records with the schema id " +
                               std::to_string(a[0].number));
  }
  return ReadRecord(*a[2].avro, whole, kFrame, v, scratch);
}

void AvroShape(const Arguments& a, Shape* shape) {
  const AvroPath& path = *a.back().avro;
  shape->BecomePacked(path.type);
  const bool narrow = std::all_of(path.nodes.begin(), path.nodes.end(),
                                  [](const Node& node) { return node.type->kind != AvroKind::kLong; });
  if (path.type == Type::kInteger && narrow) shape->SetRange(INT_MIN, INT_MAX);
}

}  // namespace

std::vector<Function> AvroFunctions() {
  return {
      {"avro",
       Category::kPacked,
       {{"record", ArgumentKind::kRecord}, {"path", ArgumentKind::kRecordPath}},
       Takes(Type::kBytes),
       Avro,
       AvroShape,
       "bytes -> bytes or integer",
       "the value at a path of fields, positions and keys of a record that `avros:` describes: int "
       "and long as integers, an enum as its symbol, a boolean as `true` or `false`, a float as its shortest digits",
       "absent when it is null, in another branch of a union, or there is no such position or key; unmappable when the "
       "value is not exactly one such record, or is nested deeper than 1,000",
       {"| avro example.Order buyer.name", "\\x04o1\\xC6\\x1F\\x02\\x02\\x06ann\\x01\\x00\\x00", "ann"},
       {.reads_binary = true, .role = Role::kPiece}},
      {"avro_framed",
       Category::kPacked,
       {{"id", ArgumentKind::kSchemaId}, {"record", ArgumentKind::kRecord}, {"path", ArgumentKind::kRecordPath}},
       Takes(Type::kBytes),
       AvroFramed,
       AvroShape,
       "bytes -> bytes or integer",
       "as `avro`, of a value in Confluent's format: a zero byte, the id of its schema in four bytes, the record",
       "as `avro`; unmappable when the value has another id, or no such head",
       {"| avro_framed 7 example.Order state", "\\x00\\x00\\x00\\x00\\x07\\x04o1\\xC6\\x1F\\x02\\x00\\x00\\x00",
        "PAID"},
       {.reads_binary = true, .role = Role::kPiece}},
  };
}

}  // namespace fensi::mapping
